// SPDX-License-Identifier: BSD-3-Clause
// Copies from and to pageable host memory.
#include "analyze/transfers.h"

#include "analyze/statistics.h"

static void add_copy(transfers *x, const trace *t, uint32_t event)
{
    const events *e = &t->events;

    x->copies++;
    x->copies_ns = add_saturated(x->copies_ns, e->duration[event]);
    if (!(event_flags(t, event) & NAME_PAGEABLE))
        return;
    x->pageable++;
    x->pageable_ns = add_saturated(x->pageable_ns, e->duration[event]);
    if (e->detail[event] != DETAIL_NONE && t->device_details[e->detail[event]].bytes > 0)
        x->pageable_bytes =
            add_saturated(x->pageable_bytes, t->device_details[e->detail[event]].bytes);
    if (e->link[event] != EVENT_NONE && event_flags(t, e->link[event]) & NAME_COPY_CALL)
        x->pageable_blocking++;
}

// Windows of steps that launch device work follow each other, so one place in each list is enough.
static void add_span(transfers *x, const span *s, bool incomplete_too)
{
    const events *e = &s->trace->events;
    uint32_t at = 0;

    for (uint32_t k = 0; k < s->trace->work_count; k++) {
        const uint32_t i = s->trace->work[k];
        if (e->role[i] != ROLE_MEMCPY)
            continue;
        while (at < s->steps.count && s->steps.at[at].end <= e->begin[i])
            at++;
        if (at == s->steps.count)
            return;
        const step *in = &s->steps.at[at];
        if (e->begin[i] >= in->begin && (in->complete || incomplete_too))
            add_copy(x, s->trace, i);
    }
}

transfers transfers_analyze(const worker *w)
{
    const bool incomplete_too = worker_counts_incomplete(w);
    transfers x = {0};

    for (uint32_t i = 0; i < w->span_count; i++)
        add_span(&x, &w->spans[i], incomplete_too);
    return x;
}
