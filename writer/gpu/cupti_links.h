// SPDX-License-Identifier: BSD-3-Clause
// What each thread's launches belong to, as CUPTI is told: stacks that it keeps for each thread.
#ifndef GPU_CUPTI_LINKS_H
#define GPU_CUPTI_LINKS_H

#include "gpu/cupti_library.h"
#include "gpu/source.h"

// What the calling thread launches belongs to `id`, until that is taken back. CUPTI's stack is of
// limited depth and its ranges nest; here any number may be open, and end in any order.
void tp_links_push(const tp_cupti *cupti, tp_gpu_link link, uint32_t id);

// Takes `id` back; nothing where the thread has not pushed it. Where CUPTI does not let go of it,
// nothing that the thread launches later has an owner.
void tp_links_pop(const tp_cupti *cupti, tp_gpu_link link, uint32_t id);

// The first refusal that cost launches their owners: the call, NULL where there was none.
const char *tp_links_refused(CUptiResult *result);

// Whether CUPTI still holds ids that have ended, so that none can be believed.
bool tp_links_stale(void);

// A child of fork() is in none of the ranges that its parent has open.
void tp_links_in_child(void);

#endif
