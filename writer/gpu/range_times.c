// SPDX-License-Identifier: BSD-3-Clause
// When the ranges of a window were, by id.
#include "gpu/range_times.h"

#include <stdlib.h>

void tp_range_times_make(tp_range_times *ranges, const tp_capture *capture)
{
    tp_cursor cursor = tp_cursor_begin(capture);
    tp_record record;
    size_t count = 0;

    *ranges = (tp_range_times){0};
    while (tp_cursor_next(&cursor, &record))
        count++;
    ranges->times = calloc(count ? count : 1, sizeof(*ranges->times));
    if (!ranges->times)
        return;
    cursor = tp_cursor_begin(capture);
    for (size_t i = 0; i < count && tp_cursor_next(&cursor, &record); i++) {
        uint64_t *place = tp_link_map_at(&ranges->places, record.id);
        if (!place)
            return;
        *place = i + 1;
        ranges->times[i][0] = record.begin_ns;
        ranges->times[i][1] = record.end_ns;
    }
}

void tp_range_times_free(tp_range_times *ranges)
{
    tp_link_map_free(&ranges->places);
    free(ranges->times);
    *ranges = (tp_range_times){0};
}

const int64_t *tp_range_times_find(const tp_range_times *ranges, uint32_t id)
{
    const uint64_t *place = tp_link_map_find(&ranges->places, id);
    return place && *place ? ranges->times[*place - 1] : NULL;
}
