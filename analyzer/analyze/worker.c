// SPDX-License-Identifier: BSD-3-Clause
// What an analysis looks at: the spans of one worker.
#include "analyze/worker.h"

uint32_t worker_step_count(const worker *w)
{
    uint32_t count = 0;

    for (uint32_t i = 0; i < w->span_count; i++)
        count += w->spans[i].steps.count;
    return count;
}

bool worker_counts_incomplete(const worker *w)
{
    for (uint32_t i = 0; i < w->span_count; i++)
        for (uint32_t k = 0; k < w->spans[i].steps.count; k++)
            if (w->spans[i].steps.at[k].complete)
                return false;
    return true;
}
