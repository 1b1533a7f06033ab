// SPDX-License-Identifier: BSD-3-Clause
// All relations of a trace, and notes about what is missing in them.
#include "link/link.h"

#include "base/both.h"
#include "link/correlate.h"
#include "link/op_tree.h"
#include "link/plausible.h"

typedef struct tally {
    uint64_t unlinked, replayed, mismatched;
} tally;

// The ids say the same in traces of 1.8 to 1.11 and from 2.5 on; between, device records carry
// their correlation instead, so containment in time decides and the id is only held against it.
static bool ids_differ(const trace *t, uint32_t work, uint32_t operator)
{
    const uint32_t *const external = t->events.external;
    return operator!= EVENT_NONE && external[work] != KEY_NONE &&
        external[operator] != KEY_NONE && external[work] != external[operator];
}

static tally count_links(const trace *t)
{
    tally n = {0};

    for (uint32_t k = 0; k < t->work_count; k++) {
        if (t->launched_by[k] == LAUNCH_NONE) {
            n.unlinked++;
            continue;
        }
        const launch *const by = &t->launches[t->launched_by[k]];
        n.replayed += (event_flags(t, by->call) & NAME_GRAPH_LAUNCH) != 0;
        n.mismatched += ids_differ(t, t->work[k], by->in_operator);
    }
    return n;
}

static bool has_calls(const trace *t)
{
    for (uint32_t i = 0; i < t->category_count; i++)
        if (role_is_call(t->categories[i].role))
            return true;
    return false;
}

static bool has_marks(const trace *t)
{
    for (uint32_t i = 0; i < t->events.count; i++)
        if (t->events.role[i] == ROLE_STEP)
            return true;
    return false;
}

// They are needed no more, and most of a trace's memory is in such columns.
static void release_keys(trace *t)
{
    arena_release(t->arena, t->events.correlation);
    arena_release(t->arena, t->events.external);
    t->events.correlation = t->events.external = NULL;
}

typedef struct linking {
    trace *trace;
    recording recording;
    tally tally;
} linking;

static void link_others(void *self)
{
    linking *const l = self;

    correlate(l->trace);
    op_tree_build(l->trace);
}

static void link_frames(void *self)
{
    linking *const l = self;

    op_tree_build_frames(l->trace);
    l->recording = recording_of(l->trace);
}

static void clip_work(void *self)
{
    const linking *const l = self;

    plausible_clip(l->trace, l->recording);
}

static void tally_links(void *self)
{
    linking *const l = self;

    l->tally = count_links(l->trace);
}

void trace_link(trace *t, bool side_by_side)
{
    linking l = {.trace = t};

    do_both(side_by_side, link_others, link_frames, &l);
    do_both(side_by_side, clip_work, tally_links, &l);

    if (!has_marks(t))
        trace_note(t, "no_steps", NOTE_INFO, ERROR_NO_OFFSET,
                   "no step marks: the log is one step, from its first to its last activity");

    trace_note_many(t, "unlinked_device_work", NOTE_INFO, has_calls(t) ? l.tally.unlinked : 0,
                    "device work without a record of the call that launched it");
    trace_note_many(t, "graph_replay", NOTE_INFO, l.tally.replayed,
                    "device work replayed by graph launches: its operators cannot be told");
    trace_note_many(t, "external_id_mismatch", NOTE_INFO, l.tally.mismatched,
                    "device work whose External id is not that of the operator around its launch; "
                    "the operator is taken");
    release_keys(t);
}
