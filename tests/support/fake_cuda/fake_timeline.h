// SPDX-License-Identifier: BSD-3-Clause
// The stand-in's devices: streams that do one thing after another, by the clock.
#ifndef FAKE_TIMELINE_H
#define FAKE_TIMELINE_H

#include "fake_cuda.h"

#include <stdbool.h>

enum { FAKE_DEVICES = 2, FAKE_STREAMS = 32, FAKE_FIRST_STREAM = 7, FAKE_CONTEXT = 1 };

typedef struct fake_stream {
    uint32_t device, id;
    uint64_t free_at_ns; // when what it was given is done
} fake_stream;

uint64_t fake_now_ns(void);
void fake_sleep_until(uint64_t at_ns);

// The default stream of the calling thread's device for NULL.
fake_stream *fake_stream_of(void *handle);
fake_stream *fake_stream_make(void);
int *fake_current_device(void);

// A call begins: its time and a new correlation id. fake_call_end() tells CUPTI.
fake_call fake_call_begin(uint32_t kind, uint32_t callback_id);
void fake_call_end(fake_call *call);

// Gives work to a stream: sets its place and times, and tells CUPTI.
void fake_enqueue(fake_stream *stream, fake_work *work, uint64_t duration_ns, uint32_t correlation);

// When the stream has done all it was given so far, for an event; tells CUPTI of the event then.
void fake_record(fake_stream *stream, uint64_t *done_at_ns, fake_event *event);

// Has the stream wait until then.
void fake_wait_until(fake_stream *stream, uint64_t at_ns);

// When all streams, or those of a device, are done.
uint64_t fake_idle_at(uint32_t device);

uint64_t fake_next_copy_duration(void);

// CUPTI's, where it is in the process; else NULL.
const fake_sink *fake_sink_now(void);

#endif
