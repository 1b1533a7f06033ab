// SPDX-License-Identifier: BSD-3-Clause
// The process's one session with CUPTI: which kinds are collected, and the buffers that come in.
#ifndef GPU_CUPTI_SESSION_H
#define GPU_CUPTI_SESSION_H

#include "gpu/buffers.h"
#include "gpu/cupti_library.h"
#include "gpu/gpu_clock.h"
#include "gpu/source.h"

enum { TP_SESSION_ERROR_BYTES = 512 };

// CUPTI knows one client a process, and its callbacks come without an argument, so there is one.
// The profiler's thread makes all calls, but for link and unlink.
typedef struct tp_session {
    tp_cupti cupti;
    CUpti_SubscriberHandle subscriber; // NULL: none was to be had
    tp_buffers buffers;
    bool collecting;
    bool tracks_memory;                          // from open to close
    tp_cupti_own_wait waits[TP_CUPTI_OWN_WAITS]; // the last ones
    uint32_t wait_count;
    bool own_mark_stays; // CUPTI does not say any more which calls are the profiler's own
    char error[TP_SESSION_ERROR_BYTES]; // the first calls that refused
    size_t lasting;                     // bytes of it that hold until the session is closed
} tp_session;

// Loads CUPTI, finds out whether it works here and whether another tool holds it. On failure false,
// and the error says which call refused.
bool tp_session_open(tp_session *session);
void tp_session_close(tp_session *session);

// Begins to collect what happens to memory; goes on until the session is closed.
void tp_session_track_memory(tp_session *session);

// Remembers a refusal, each call's once. Returns whether there was none.
bool tp_session_check(tp_session *session, const char *call, const char *argument,
                      CUptiResult result);

// Collection of everything but memory, which is collected from open to close. Stopping does not
// wait for the devices.
bool tp_session_start(tp_session *session);
void tp_session_stop(tp_session *session);

// Waits for the devices and brings all finished records in.
void tp_session_flush(tp_session *session);

// Brings in what is finished, without waiting.
void tp_session_fetch(tp_session *session);

// Full buffers in the order in which they came, to be given back with tp_buffers_recycle().
tp_buffer *tp_session_take(tp_session *session);

// Records lost since the last call, as CUPTI counts them.
uint64_t tp_session_lost(tp_session *session);

tp_gpu_clock_sample tp_session_clock(tp_session *session);

// What the calling thread launches belongs to `id`, until the end. Any thread.
void tp_session_link(tp_session *session, tp_gpu_link link, uint32_t id);
void tp_session_unlink(tp_session *session, tp_gpu_link link, uint32_t id);

#endif
