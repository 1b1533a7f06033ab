// SPDX-License-Identifier: BSD-3-Clause
// Pure: CUPTI's records in buffers, and what links them to each other.
#include "gpu/cupti_records.h"

#include "gpu/cupti_names.h"

#include <stdlib.h>
#include <string.h>

size_t tp_cupti_walk(const tp_cupti_sizes *sizes, const void *buffer, size_t valid,
                     tp_cupti_visit visit, void *arg)
{
    const unsigned char *at = buffer;
    const unsigned char *end = at + valid;
    uint32_t kind;

    while ((size_t)(end - at) >= sizeof(kind)) {
        memcpy(&kind, at, sizeof(kind));
        const size_t size = kind < TP_CUPTI_KINDS ? sizes->bytes[kind] : 0;
        if (size < sizeof(kind) || size > (size_t)(end - at))
            break;
        visit(arg, kind, at, size);
        at += size;
    }
    return (size_t)(end - at);
}

void tp_cupti_batch_init(tp_cupti_batch *batch, const tp_cupti_hooks *hooks)
{
    *batch = (tp_cupti_batch){.hooks = *hooks};
}

static void keep_for_next(tp_link_map *map, tp_link_map *before)
{
    const tp_link_map emptied = *before;
    *before = *map;
    *map = emptied;
    tp_link_map_clear(map);
}

void tp_cupti_batch_clear(tp_cupti_batch *batch)
{
    keep_for_next(&batch->owners, &batch->owners_before);
    keep_for_next(&batch->own, &batch->own_before);
    tp_link_map_clear(&batch->threads);
    tp_link_map_clear(&batch->syncs);
    batch->record_count = 0;
    batch->records_sorted = true;
    batch->unfinished = batch->lost = 0;
}

void tp_cupti_batch_free(tp_cupti_batch *batch)
{
    tp_link_map_free(&batch->owners);
    tp_link_map_free(&batch->own);
    tp_link_map_free(&batch->owners_before);
    tp_link_map_free(&batch->own_before);
    tp_link_map_free(&batch->threads);
    tp_link_map_free(&batch->contexts);
    tp_link_map_free(&batch->pools);
    tp_link_map_free(&batch->syncs);
    free(batch->records);
    *batch = (tp_cupti_batch){0};
}

static void keep(tp_cupti_batch *batch, tp_link_map *map, uint64_t key, uint64_t value)
{
    uint64_t *place = tp_link_map_at(map, key);
    if (place)
        *place = value;
    else
        batch->lost++;
}

static void index_external(tp_cupti_batch *batch, const tp_cupti_external *external)
{
    if (external->external_kind == TP_CUPTI_EXTERNAL_OWN) {
        if (!batch->has_stale_marks)
            keep(batch, &batch->own, external->correlation_id, 1);
        return;
    }
    if ((external->external_kind != TP_CUPTI_EXTERNAL_OP &&
         external->external_kind != TP_CUPTI_EXTERNAL_ANNOTATION) ||
        batch->has_stale_owners)
        return;

    uint64_t *owner = tp_link_map_at(&batch->owners, external->correlation_id);
    if (!owner) {
        batch->lost++;
        return;
    }
    const uint64_t id = (uint32_t)external->external_id;
    if (external->external_kind == TP_CUPTI_EXTERNAL_OP)
        *owner = (*owner & UINT32_MAX) | id << 32;
    else
        *owner = (*owner & ~(uint64_t)UINT32_MAX) | id;
}

static bool reserve_record_call(tp_cupti_batch *batch)
{
    if (batch->record_count < batch->record_capacity)
        return true;

    const size_t capacity = batch->record_capacity ? 2 * batch->record_capacity : 64;
    tp_cupti_record_call *larger = realloc(batch->records, capacity * sizeof(*larger));
    if (!larger)
        return false;
    batch->records = larger;
    batch->record_capacity = capacity;
    return true;
}

static void index_cuda_event(tp_cupti_batch *batch, const tp_cupti_cuda_event *event)
{
    if (!reserve_record_call(batch)) {
        batch->lost++;
        return;
    }
    if (event->event_sync_id)
        keep(batch, &batch->syncs, event->event_sync_id,
             (uint64_t)event->stream_id << 32 | event->correlation_id);
    batch->records[batch->record_count++] = (tp_cupti_record_call){
        event->context_id, event->event_id, event->correlation_id, event->stream_id};
    batch->records_sorted = false;
}

static void index_context(tp_cupti_batch *batch, uint32_t context, uint32_t device)
{
    // Most records are of the context of the one before.
    if (batch->has_last_context && batch->last_context == context)
        return;
    batch->has_last_context = true;
    batch->last_context = context;
    keep(batch, &batch->contexts, context, device);
}

// A call of the profiler's thread while that was waiting is its own, also where CUPTI did not take
// the mark around it.
static bool is_own_wait(const tp_cupti_batch *batch, const tp_cupti_api *call)
{
    for (size_t i = 0; i < TP_CUPTI_OWN_WAITS && batch->waits; i++) {
        const tp_cupti_own_wait *wait = &batch->waits[i];
        if (call->start >= wait->begin && call->end <= wait->end &&
            (call->thread_id == wait->thread || call->thread_id == wait->pthread))
            return true;
    }
    return false;
}

void tp_cupti_index(tp_cupti_batch *batch, uint32_t kind, const void *record, size_t size)
{
    switch (kind) {
    case TP_CUPTI_EXTERNAL_CORRELATION: {
        TP_CUPTI_READ(external, external, record, size);
        index_external(batch, &external);
        break;
    }
    case TP_CUPTI_CONTEXT: {
        TP_CUPTI_READ(context, context, record, size);
        index_context(batch, context.context_id, context.device_id);
        break;
    }
    case TP_CUPTI_CUDA_EVENT: {
        TP_CUPTI_READ(cuda_event, event, record, size);
        index_cuda_event(batch, &event);
        break;
    }
    case TP_CUPTI_CONCURRENT_KERNEL: {
        // Not every library has records of contexts that were made before collection began.
        TP_CUPTI_READ(kernel, kernel, record, size);
        index_context(batch, kernel.context_id, kernel.device_id);
        break;
    }
    case TP_CUPTI_MEMCPY: {
        TP_CUPTI_READ(memcpy, copy, record, size);
        index_context(batch, copy.context_id, copy.device_id);
        break;
    }
    case TP_CUPTI_MEMSET: {
        TP_CUPTI_READ(memset, set, record, size);
        index_context(batch, set.context_id, set.device_id);
        break;
    }
    case TP_CUPTI_RUNTIME:
    case TP_CUPTI_DRIVER: {
        TP_CUPTI_READ(api, api, record, size);
        if (batch->hooks.function(batch->hooks.arg, kind == TP_CUPTI_DRIVER, api.callback_id)
                ->allocates)
            keep(batch, &batch->threads, api.correlation_id, api.thread_id);
        if (is_own_wait(batch, &api))
            keep(batch, &batch->own, api.correlation_id, 1);
        break;
    }
    default:
        break;
    }
}

void *tp_cupti_owned_data(uint32_t kind, const void *record, size_t size)
{
    if (kind != TP_CUPTI_OVERHEAD)
        return NULL;
    TP_CUPTI_READ(overhead, overhead, record, size);
    return overhead.data;
}
