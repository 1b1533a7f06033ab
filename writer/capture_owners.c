// SPDX-License-Identifier: BSD-3-Clause
// Owners of device work that the window lacks: ranges still open at its end, or begun before it.
#include "window.h"

#include <stdlib.h>

// The numbers that device work names, in order, and which of them an event has.
typedef struct owners {
    uint32_t *ids;
    bool *present;
    size_t count;
} owners;

static int by_number(const void *a, const void *b)
{
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

static void remove_repeats(owners *named)
{
    size_t kept = 0;
    for (size_t i = 0; i < named->count; i++)
        if (!kept || named->ids[kept - 1] != named->ids[i])
            named->ids[kept++] = named->ids[i];
    named->count = kept;
}

// False where there are none, or no memory.
static bool collect_owners(const tp_capture *capture, owners *named)
{
    uint32_t last = 0; // neighbours often have one owner

    *named = (owners){.ids = malloc(capture->gpu_count * sizeof(*named->ids))};
    for (size_t i = 0; i < capture->gpu_count && named->ids; i++) {
        const uint32_t id = capture->gpu[i].op_id;
        if (id && id != last)
            named->ids[named->count++] = id;
        last = id;
    }
    if (named->count) {
        qsort(named->ids, named->count, sizeof(*named->ids), by_number);
        remove_repeats(named);
        named->present = calloc(named->count, sizeof(*named->present));
    }
    return named->present != NULL;
}

static bool *presence(const owners *named, uint32_t id)
{
    // Most events are younger or older than all that were linked.
    if (id < named->ids[0] || id > named->ids[named->count - 1])
        return NULL;
    const uint32_t *found = bsearch(&id, named->ids, named->count, sizeof(*named->ids), by_number);
    return found ? &named->present[found - named->ids] : NULL;
}

static void look_for_owners(const tp_capture *capture, const owners *named)
{
    tp_cursor cursor = tp_cursor_begin(capture);
    tp_record record;

    while (tp_cursor_next(&cursor, &record)) {
        bool *present = presence(named, record.id);
        if (present)
            *present = true;
    }
}

void tp_capture_check_owners(tp_capture *capture)
{
    owners named = {0};

    if (capture->gpu_count && collect_owners(capture, &named)) {
        look_for_owners(capture, &named);
        for (size_t i = 0; i < capture->gpu_count; i++) {
            tp_gpu_event *event = &capture->gpu[i];
            if (event->op_id && !*presence(&named, event->op_id))
                event->op_id = 0;
        }
    }
    free(named.present);
    free(named.ids);
}
