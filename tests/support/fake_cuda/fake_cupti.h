// SPDX-License-Identifier: BSD-3-Clause
// Between the parts of the stand-in for CUPTI: its script, its buffers, and what was enabled.
#ifndef FAKE_CUPTI_H
#define FAKE_CUPTI_H

#include "fake_cuda.h"
#include "gpu/cupti_layout.h"

#include <cupti.h>

#include <stdbool.h>

enum { FAKE_LINKS = 64 };

// How long the records of a version are.
typedef struct fake_sizes {
    uint32_t version;
    uint16_t kernel, memcpy, memcpy_peer, memset, sync, cuda_event, overhead, memory, context;
} fake_sizes;

typedef struct fake_script {
    fake_sizes sizes;
    const char *fail;
    long records_per_buffer, drop;
    bool thread, late;
    int64_t clock_ns;
} fake_script;

// The script, read at the first call.
const fake_script *fake_script_read(void);

// The result that the script wants of a call.
CUptiResult fake_scripted(const char *call, int kind);

// ---- fake_buffers.c

size_t fake_size_of(uint32_t kind);
bool fake_is_enabled(uint32_t kind);
void fake_set_enabled(uint32_t kind, bool on);
void fake_register(CUpti_BuffersCallbackRequestFunc request,
                   CUpti_BuffersCallbackCompleteFunc complete);

// The first bytes of the newest struct are the record of an older version.
void fake_emit(uint32_t kind, const void *record);

// External correlation that comes at the next flush only.
void fake_emit_late(const tp_cupti_external *record);
void fake_flush(void);
uint64_t fake_take_dropped(void);

// Called once behind the next flush, as another thread may then be at work. For tests to set.
extern void (*fake_cupti_after_flush)(void);

// ---- fake_tell.c

CUptiResult fake_push(uint32_t kind, uint64_t id);
CUptiResult fake_pop(uint32_t kind, uint64_t *id);
uint64_t fake_stamp(uint64_t monotonic_ns); // in CUPTI's clock, which follows CLOCK_REALTIME
void fake_event_timestamps(bool on);

#endif
