// SPDX-License-Identifier: BSD-3-Clause
// Captures with times of the test's choosing.
#include "support/made_capture.h"

#include "op_detail.h"
#include "stack.h"
#include "window.h"

#include <stdlib.h>
#include <string.h>

enum { MEMORY = 16 << 20 };

void made_begin(void)
{
    if (tp_recorder_open(MEMORY, 0) != TPROF_OK)
        abort();
    tp_recorder_discard();
    if (!tp_log_self && !tp_log_attach())
        abort();
    made_thread(1);
}

// Appends the event with details of `size` bytes behind it.
static void append(const tp_event *event, const void *detail, size_t size)
{
    const uint32_t slots = 1 + (uint32_t)((size + sizeof(*event) - 1) / sizeof(*event));
    tp_event *at = tp_log_reserve(tp_log_self, slots);
    if (!at)
        abort();
    at[0] = *event;
    at[0].slots = (uint16_t)(slots - 1);
    if (size)
        memcpy(at + 1, detail, size);
    tp_log_publish(tp_log_self, slots);
}

void made_thread(int64_t tid)
{
    const tp_event event = {.begin = (uint64_t)tid, .name = "made", .kind = TP_THREAD};
    tp_log_self->tid = tid; // for chunks that begin later
    append(&event, NULL, 0);
}

static tp_event ranged(tp_kind kind, const char *name, int64_t begin_ns, int64_t end_ns)
{
    return (tp_event){
        .begin = (uint64_t)begin_ns, .end = (uint64_t)end_ns, .name = name, .kind = (uint8_t)kind};
}

void made_range(tp_kind kind, const char *name, int64_t begin_ns, int64_t end_ns)
{
    const tp_event event = ranged(kind, name, begin_ns, end_ns);
    append(&event, NULL, 0);
}

void made_step(int64_t number, int64_t begin_ns, int64_t end_ns)
{
    tp_event event = ranged(TP_STEP, "step", begin_ns, end_ns);
    const tp_function_detail detail = {.module = number};
    event.detail = TP_DETAIL_FUNCTION;
    append(&event, &detail, sizeof(detail));
}

void made_operator(const tprof_op *op, uint32_t id, int64_t begin_ns, int64_t end_ns)
{
    tp_event event = ranged(TP_OPERATOR, op->name, begin_ns, end_ns);
    tp_op_detail detail = {
        .sequence = op->sequence,
        .backward = op->backward,
        .forward_thread = op->forward_thread,
        .flops = op->flops,
        .stack = op->stack ? tp_stack_of_text(op->stack) : NULL,
    };
    event.id = id;
    event.detail = TP_DETAIL_OP;
    tp_op_append(&event, &detail, op);
}

void made_memory(tprof_device_type device, int64_t time_ns, int64_t bytes)
{
    const tp_event event = {.begin = (uint64_t)time_ns,
                            .end = (uint64_t)bytes,
                            .name = TPROF_NAME_MEMORY,
                            .kind = TP_MEMORY,
                            .detail = TP_DETAIL_MEMORY};
    const tp_memory_detail detail = {.device_type = (int32_t)device};
    append(&event, &detail, sizeof(detail));
}

tp_capture *made_capture(void)
{
    tp_capture *capture = tp_capture_create();
    tp_taken taken = {.map = {.scale = (uint64_t)1 << 32}}; // ticks are nanoseconds
    if (!capture)
        abort();
    taken.parts = tp_recorder_take(&taken.slots);
    tp_capture_fill(capture, &taken);
    capture->record_shapes = true;
    capture->profile_memory = true;
    capture->with_stack = true;
    capture->with_flops = true;
    tp_capture_prepare(capture);
    return capture;
}
