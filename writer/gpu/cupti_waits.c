// SPDX-License-Identifier: BSD-3-Clause
// Pure: records of waits, and of the cudaEventRecord() calls that they wait for -> events.
#include "gpu/cupti_convert.h"
#include "gpu/cupti_names.h"

#include <stdlib.h>

static int compare_record_calls(const void *left, const void *right)
{
    const tp_cupti_record_call *a = left;
    const tp_cupti_record_call *b = right;

    if (a->context != b->context)
        return a->context < b->context ? -1 : 1;
    if (a->event != b->event)
        return a->event < b->event ? -1 : 1;
    return (a->correlation > b->correlation) - (a->correlation < b->correlation);
}

// The last recording of the event before the wait; NULL where none was seen.
static const tp_cupti_record_call *last_recording(tp_cupti_batch *batch, const tp_cupti_sync *wait)
{
    const tp_cupti_record_call want = {wait->context_id, wait->event_id, wait->correlation_id, 0};
    size_t low = 0;
    size_t high = batch->record_count;

    if (!batch->records_sorted && batch->record_count)
        qsort(batch->records, batch->record_count, sizeof(*batch->records), compare_record_calls);
    batch->records_sorted = true;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (compare_record_calls(&batch->records[middle], &want) <= 0)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == 0)
        return NULL;
    const tp_cupti_record_call *found = &batch->records[low - 1];
    return found->context == want.context && found->event == want.event ? found : NULL;
}

static int64_t stream_number(uint32_t stream)
{
    return stream == TP_GPU_NONE ? -1 : (int64_t)stream;
}

static void set_wait(tp_cupti_batch *batch, const tp_cupti_sync *s, tp_sync *sync)
{
    sync->has_event = true;
    sync->wait_on_event = s->event_id;
    sync->wait_on_stream = sync->wait_on_record_correlation = -1;

    // Newer libraries number each recording; in older ones it is the last one before.
    const uint64_t *exact =
        s->event_sync_id ? tp_link_map_find(&batch->syncs, s->event_sync_id) : NULL;
    if (exact) {
        sync->wait_on_stream = stream_number((uint32_t)(*exact >> 32));
        sync->wait_on_record_correlation = (int64_t)(*exact & UINT32_MAX);
        return;
    }
    const tp_cupti_record_call *call = last_recording(batch, s);
    if (call) {
        sync->wait_on_stream = stream_number(call->stream);
        sync->wait_on_record_correlation = call->correlation;
    }
}

bool tp_convert_sync(tp_cupti_batch *batch, const void *record, size_t size, tp_gpu_event *event)
{
    TP_CUPTI_READ(sync, s, record, size);
    const char *kind = tp_cupti_sync_word(s.type);
    if (!kind || !tp_convert_common(batch, s.start, s.end, s.correlation_id, event))
        return false;

    const uint64_t *device = tp_link_map_find(&batch->contexts, s.context_id);
    event->kind = TP_GPU_SYNC;
    event->name = kind;
    event->device = device ? (uint32_t)*device : 0;
    event->context = s.context_id;
    event->stream = s.stream_id;
    event->sync = (tp_sync){.kind = kind};
    if (s.type <= 2)
        set_wait(batch, &s, &event->sync);
    return true;
}

bool tp_convert_cuda_event(tp_cupti_batch *batch, const void *record, size_t size,
                           tp_gpu_event *event)
{
    TP_CUPTI_READ(cuda_event, e, record, size);
    // Most libraries do not say when the device came to the event. It is a partner of waits then.
    if (e.device_timestamp == 0 ||
        !tp_convert_common(batch, e.device_timestamp, e.device_timestamp + 1, e.correlation_id,
                           event))
        return false;

    const uint64_t *device = tp_link_map_find(&batch->contexts, e.context_id);
    event->kind = TP_GPU_EVENT;
    event->name = "cudaEventRecord";
    event->device = TP_CUPTI_HAS(tp_cupti_cuda_event, device_id, size) ? e.device_id
                    : device                                           ? (uint32_t)*device
                                                                       : 0;
    event->context = e.context_id;
    event->stream = e.stream_id;
    event->event = (tp_cuda_event){e.event_id};
    return true;
}
