// SPDX-License-Identifier: BSD-3-Clause
// Where each instant of a step goes; for people, the mean over steps as bars.
#include "views/view.h"

#include "analyze/statistics.h"
#include "base/text.h"
#include "report/units.h"

#include <stdlib.h>
#include <string.h>

static const column CLASS_COLUMNS[] = {
    COLUMN(class_row, step, UNIT_NONE, "Step"),
    COLUMN(class_row, device, UNIT_NONE, "Device"),
    COLUMN(class_row, wall_ns, UNIT_NS, "Wall"),
    COLUMN(class_row, compute_ns, UNIT_NS, "Compute"),
    COLUMN(class_row, communication_ns, UNIT_NS, "Commun."),
    COLUMN(class_row, copy_ns, UNIT_NS, "Copy"),
    COLUMN(class_row, idle_input_ns, UNIT_NS, "Input"),
    COLUMN(class_row, idle_sync_ns, UNIT_NS, "Sync"),
    COLUMN(class_row, idle_copy_ns, UNIT_NS, "Bl. copy"),
    COLUMN(class_row, idle_alloc_ns, UNIT_NS, "Alloc"),
    COLUMN(class_row, idle_launch_ns, UNIT_NS, "Launch"),
    COLUMN(class_row, idle_host_ns, UNIT_NS, "Host"),
    COLUMN(class_row, idle_device_ns, UNIT_NS, "Device wait"),
    COLUMN(class_row, idle_unknown_ns, UNIT_NS, "Unknown"),
    COLUMN_QUIET(class_row, span, UNIT_NONE, "Span"),
};

// A class over the steps that count.
typedef struct share_row {
    const char *key, *meaning;
    double share;
    int64_t mean_ns;
    int64_t total_ns;
} share_row;

static const column SHARE_COLUMNS[] = {
    COLUMN(share_row, meaning, UNIT_NONE, "Class"),
    COLUMN_AS_QUIET(share_row, key, "class", UNIT_NONE, "Class"),
    COLUMN(share_row, share, UNIT_RATIO, "Share"),
    COLUMN(share_row, mean_ns, UNIT_NS, "Mean a step"),
    COLUMN_QUIET(share_row, total_ns, UNIT_NS, "Total"),
};

enum { CLASSES, SHARES };

// clang-format off
static const table SHAPES[] = {
    [CLASSES] = {TABLE("classes", "Classes by step and device; they add up to the wall time",
                       CLASS_COLUMNS, class_row)},
    [SHARES]  = {TABLE("shares", "Where step time goes", SHARE_COLUMNS, share_row),
                 .bar = "share", .early = true, .brief_rows = 12, .tight_rows = 3},
};
// clang-format on

static const struct {
    const char *key, *device, *host; // what it means on a device, and in a log without one
    size_t offset;
} CLASS_TEXTS[] = {
    {"compute",       "computes",                           "runs operators",                offsetof(class_row, compute_ns)      },
    {"communication", "communicates, nothing computes",     "communicates",
     offsetof(class_row,                                                                                         communication_ns)},
    {"copy",          "copies, nothing computes",           "copies",                        offsetof(class_row, copy_ns)         },
    {"idle_input",    "idle: waits for input",              "waits for input",               offsetof(class_row, idle_input_ns)   },
    {"idle_sync",     "idle: host synchronises",            "waits in a synchronising call",
     offsetof(class_row,                                                                                         idle_sync_ns)    },
    {"idle_copy",     "idle: blocking copy",                "blocking copy",                 offsetof(class_row, idle_copy_ns)    },
    {"idle_alloc",    "idle: host allocates or frees",      "allocates or frees",
     offsetof(class_row,                                                                                         idle_alloc_ns)   },
    {"idle_launch",   "idle: host runs operators",          "launches",                      offsetof(class_row, idle_launch_ns)  },
    {"idle_host",     "idle: Python or unmarked code",      "Python or unmarked code",
     offsetof(class_row,                                                                                         idle_host_ns)    },
    {"idle_device",   "idle: dependency or launch latency", "device wait",
     offsetof(class_row,                                                                                         idle_device_ns)  },
    {"idle_unknown",  "idle: unknown cause",                "unknown cause",                 offsetof(class_row, idle_unknown_ns) },
};

static int by_share(const void *x, const void *y)
{
    const share_row *a = x, *b = y;
    if (a->total_ns != b->total_ns)
        return a->total_ns > b->total_ns ? -1 : 1;
    return strcmp(a->key, b->key);
}

// The steps that shares are of: those of one device, complete unless none is.
typedef struct sample {
    const char *on;
    bool complete_only;
    int64_t steps, wall_ns;
} sample;

static bool sample_holds(const sample *s, const class_row *row)
{
    return strcmp(row->device, s->on) == 0 && (row->complete || !s->complete_only);
}

static sample sample_of(const class_table *t, const char *on)
{
    sample s = {.on = on, .complete_only = true};

    for (int pass = 0; pass < 2 && s.steps == 0; pass++) {
        s.complete_only = pass == 0;
        for (uint32_t i = 0; i < t->count; i++)
            if (sample_holds(&s, &t->at[i])) {
                s.steps++;
                s.wall_ns += t->at[i].wall_ns;
            }
    }
    return s;
}

static int64_t class_total(const class_table *t, const sample *s, size_t offset)
{
    int64_t total = 0;
    for (uint32_t i = 0; i < t->count; i++)
        if (sample_holds(s, &t->at[i]))
            total += *(const int64_t *)((const char *)&t->at[i] + offset);
    return total;
}

// The classes that have any time, largest first.
static uint32_t sum_shares(const class_table *t, const sample *s, share_row *shares)
{
    const bool host = strcmp(s->on, "host") == 0;
    uint32_t count = 0;

    for (size_t i = 0; i < ARRAY_LEN(CLASS_TEXTS); i++) {
        const int64_t total = class_total(t, s, CLASS_TEXTS[i].offset);
        if (total <= 0)
            continue;
        shares[count++] = (share_row){
            .key = CLASS_TEXTS[i].key,
            .meaning = host ? CLASS_TEXTS[i].host : CLASS_TEXTS[i].device,
            .share = (double)total / (double)s->wall_ns,
            .mean_ns = divide_half_even(total, s->steps),
            .total_ns = total,
        };
    }
    if (count)
        qsort(shares, count, sizeof(*shares), by_share);
    return count;
}

static void build(const view_input *in, view_output *out)
{
    const class_table *classes = &in->all->classes;
    const char *named = in->diagnosis->verdict.device;
    const sample s = sample_of(classes, named ? named : "host");
    share_row *shares = arena_new(out->arena, share_row, ARRAY_LEN(CLASS_TEXTS));
    const bool host = strcmp(s.on, "host") == 0;
    char number[UNIT_TEXT_BYTES];

    view_table(out, &SHAPES[CLASSES], classes->at, classes->count);
    table *t = view_table(out, &SHAPES[SHARES], shares, sum_shares(classes, &s, shares));
    t->title = arena_printf(out->arena, "Where step time goes (%s%s; all of %s step%s)",
                            host ? "" : "device ", s.on, unit_count(s.steps, number),
                            s.steps == 1 ? "" : "s");
}

const view view_classes = {
    "classes", "where each instant of a step goes", "Classes", SHAPES, ARRAY_LEN(SHAPES), build};
