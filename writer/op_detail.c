// SPDX-License-Identifier: BSD-3-Clause
// Operators in the log: their inputs, written behind the event and read back.
#include "op_detail.h"

#include "capture.h"
#include "names.h"
#include "recorder.h"

#include <string.h>

enum { OPEN_LISTS = 30 }; // a longer list of tensors is kept as empty, as torch does

static size_t value_bytes(const tprof_input *input)
{
    return input->value ? strlen(input->value) + 1 : 0;
}

static size_t padded(size_t size)
{
    return (size + 7) & ~(size_t)7;
}

static bool is_valid(const tprof_input *input)
{
    return input->dimensions >= 0 && input->dimensions <= INT16_MAX && input->item_count >= 0 &&
           (input->sizes || input->dimensions == 0) && (input->items || input->item_count == 0) &&
           value_bytes(input) <= UINT16_MAX;
}

static int32_t kept_items(const tprof_input *input)
{
    return input->item_count > OPEN_LISTS ? 0 : input->item_count;
}

// Bytes of one input without its items; beyond any room where it is not valid.
static size_t size_of_one(const tprof_input *input)
{
    if (!is_valid(input))
        return SIZE_MAX / 4;
    const size_t rows = input->strides ? 2 : 1;
    return sizeof(tp_input_head) + rows * (size_t)input->dimensions * sizeof(int64_t) +
           padded(value_bytes(input));
}

static size_t size_of_all(const tprof_op *op)
{
    size_t size = 0;
    for (int32_t i = 0; i < op->input_count && size < SIZE_MAX / 8; i++) {
        const tprof_input *input = &op->inputs[i];
        size += size_of_one(input);
        for (int32_t j = 0; size < SIZE_MAX / 8 && j < kept_items(input); j++)
            size += size_of_one(&input->items[j]);
    }
    return size;
}

static unsigned char *write_one(unsigned char *at, const tprof_input *input, int32_t items)
{
    const tp_input_head head = {
        .type = input->type ? tp_name_intern(input->type, strlen(input->type)) : "",
        .dimensions = (int16_t)input->dimensions,
        .items = (uint16_t)items,
        .value_bytes = (uint16_t)value_bytes(input),
        .has_strides = input->strides != NULL,
        .is_tensor = input->sizes != NULL || input->dimensions > 0,
    };
    const size_t row = (size_t)input->dimensions * sizeof(int64_t);

    memcpy(at, &head, sizeof(head));
    at += sizeof(head);
    if (row)
        memcpy(at, input->sizes, row);
    at += row;
    if (input->strides) {
        memcpy(at, input->strides, row);
        at += row;
    }
    if (head.value_bytes)
        memcpy(at, input->value, head.value_bytes);
    return at + padded(head.value_bytes);
}

static void write_all(unsigned char *at, const tprof_op *op)
{
    for (int32_t i = 0; i < op->input_count; i++) {
        const tprof_input *input = &op->inputs[i];
        const int32_t items = kept_items(input);
        at = write_one(at, input, items);
        for (int32_t j = 0; j < items; j++)
            at = write_one(at, &input->items[j], 0);
    }
}

void tp_op_append(const tp_event *event, tp_op_detail *detail, const tprof_op *op)
{
    enum { ROOM = (TP_SLOTS_MAX - 1) * sizeof(tp_event) - sizeof(tp_op_detail) };
    size_t size = 0;

    if (op && op->inputs && op->input_count > 0) {
        size = size_of_all(op);
        detail->has_inputs = size <= ROOM;
        detail->cut = size > ROOM;
    }
    if (!detail->has_inputs)
        size = 0;
    detail->input_bytes = (uint32_t)size;

    const uint32_t slots =
        1 + (uint32_t)((sizeof(*detail) + size + sizeof(*event) - 1) / sizeof(*event));
    tp_event *at = tp_log_reserve(tp_log_self, slots);
    if (!at)
        return;
    at[0] = *event;
    at[0].slots = (uint16_t)(slots - 1);
    memcpy(at + 1, detail, sizeof(*detail));
    if (size)
        write_all((unsigned char *)(at + 1) + sizeof(*detail), op);
    tp_log_publish(tp_log_self, slots);
}

tp_inputs tp_inputs_begin(const tp_op_detail *op)
{
    const unsigned char *at = (const unsigned char *)(op + 1);
    return (tp_inputs){at, at + op->input_bytes};
}

bool tp_inputs_next(tp_inputs *inputs, tp_input *input)
{
    if (inputs->at == inputs->end)
        return false;
    const tp_input_head *head = (const void *)inputs->at;
    const int64_t *sizes = (const int64_t *)(const void *)(head + 1);
    const int64_t *strides = sizes + head->dimensions;
    const unsigned char *value =
        (const unsigned char *)(head->has_strides ? strides + head->dimensions : strides);

    *input = (tp_input){
        .type = head->type,
        .sizes = sizes,
        .strides = head->has_strides ? strides : NULL,
        .dimensions = head->dimensions,
        .items = head->items,
        .value = head->value_bytes ? (const char *)value : NULL,
        .tensor = head->is_tensor,
    };
    inputs->at = value + padded(head->value_bytes);
    return true;
}
