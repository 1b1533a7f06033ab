// SPDX-License-Identifier: BSD-3-Clause
// Steps of a trace.
#include "link/steps.h"

// A step being made, in order of its mark's begin.
typedef struct mark {
    uint32_t event;
    int64_t begin, end;
    int64_t work_end; // of the last device work that it launched, or INT64_MIN
    bool launches;    // has calls that launch; only asked for where one has no records
    bool records;     // has device work of such calls
} mark;

typedef struct marks {
    mark *at;
    uint32_t count;
    bool any_work, any_records;
} marks;

static int64_t later(int64_t x, int64_t y)
{
    return x > y ? x : y;
}

static int64_t earlier(int64_t x, int64_t y)
{
    return x < y ? x : y;
}

static marks find_marks(const trace *t, arena *a)
{
    const events *const e = &t->events;
    marks m = {.any_work = t->work_count > 0};
    uint32_t capacity = 0;

    for (uint32_t i = 0; i < e->count; i++) {
        if (e->role[i] != ROLE_STEP)
            continue;
        arena_reserve_one(a, m.at, m.count, capacity);
        m.at[m.count++] =
            (mark){.event = i, .begin = e->begin[i], .end = event_end(e, i), .work_end = INT64_MIN};
    }
    return m;
}

// The step that a call belongs to: the latest that has begun, if it is not over before the call is.
// *hint is how many have begun by an earlier call, and is brought up to date.
static mark *step_of_call(const marks *m, const events *e, uint32_t call, uint32_t *hint)
{
    const int64_t begin = e->begin[call];
    while (*hint < m->count && m->at[*hint].begin <= begin)
        ++*hint;
    mark *const latest = *hint ? &m->at[*hint - 1] : NULL;
    return latest && event_end(e, call) <= latest->end ? latest : NULL;
}

static void find_launch_calls(const trace *t, marks *m)
{
    const events *const e = &t->events;
    uint32_t begun = 0;

    for (uint32_t i = 0; i < e->count; i++) {
        if (!role_is_call(e->role[i]) || !(event_flags(t, i) & NAME_LAUNCH_CALL))
            continue;
        mark *const owner = step_of_call(m, e, i, &begun);
        if (owner)
            owner->launches = true;
    }
}

// The step of each launch, in their order.
static mark **steps_of_launches(const trace *t, const marks *m, arena *scratch)
{
    mark **const owners = arena_new(scratch, mark *, t->launch_count);
    uint32_t begun = 0;

    for (uint32_t i = 0; i < t->launch_count; i++)
        owners[i] = step_of_call(m, &t->events, t->launches[i].call, &begun);
    return owners;
}

static void find_launched_work(const trace *t, marks *m)
{
    arena *const scratch = arena_create();
    mark **const owners = steps_of_launches(t, m, scratch);

    for (uint32_t k = 0; k < t->work_count; k++) {
        mark *const owner = t->launched_by[k] == LAUNCH_NONE ? NULL : owners[t->launched_by[k]];
        if (!owner)
            continue;
        owner->work_end = later(owner->work_end, event_end(&t->events, t->work[k]));
        owner->records = m->any_records = true;
    }
    arena_destroy(scratch);
}

static bool lacks_records(const marks *m)
{
    uint32_t i = 0;
    while (i < m->count && m->at[i].records)
        i++;
    return m->any_records && i < m->count;
}

// A mark cannot reach beyond the recording but by being cut off. The window that events span says
// nothing about that.
static bool is_cut(const trace *t, const marks *m, uint32_t i)
{
    if (!t->window_told)
        return false;
    return (i == 0 && m->at[i].begin < t->window_begin) ||
           (i + 1 == m->count && m->at[i].end > t->window_end);
}

static bool misses_records(const marks *m, uint32_t i)
{
    return m->any_records && !m->at[i].records && m->at[i].launches;
}

static const char *step_name(const trace *t, uint32_t event)
{
    return trace_name(t, event).at + sizeof("ProfilerStep#") - 1;
}

static step_list marked_steps(const trace *t, const marks *m, arena *a)
{
    step_list made = {arena_new(a, step, m->count), m->count, true};
    int64_t previous_end = INT64_MIN;

    for (uint32_t i = 0; i < m->count; i++) {
        const mark *const k = &m->at[i];
        const int64_t begin = m->any_work ? later(previous_end, k->begin) : k->begin;
        made.at[i] = (step){
            .name = step_name(t, k->event),
            .begin = begin,
            .end = later(later(k->end, k->work_end), begin),
            .host_begin = k->begin,
            .host_end = k->end,
            .lane = t->events.lane[k->event],
            .complete = !is_cut(t, m, i) && !misses_records(m, i),
        };
        previous_end = made.at[i].end;
    }
    return made;
}

static bool tells_activity(role r)
{
    return r == ROLE_OPERATOR || r == ROLE_PYTHON || r == ROLE_MODULE || role_is_call(r) ||
           role_is_device(r);
}

// From the first begin to the last end of what `wanted` admits; NULL admits all.
static bool find_extent(const trace *t, bool (*wanted)(role r), step *all)
{
    const events *const e = &t->events;
    bool found = false;
    for (uint32_t i = 0; i < e->count; i++) {
        if (wanted && !wanted(e->role[i]))
            continue;
        all->begin = found ? earlier(all->begin, e->begin[i]) : e->begin[i];
        all->end = found ? later(all->end, event_end(e, i)) : event_end(e, i);
        found = true;
    }
    return found;
}

static step_list whole_trace(const trace *t, arena *a)
{
    step all = {.name = "all", .lane = UINT32_MAX, .complete = true};
    if (!find_extent(t, tells_activity, &all) && !find_extent(t, NULL, &all))
        return (step_list){0};

    all.host_begin = all.begin;
    all.host_end = all.end;
    step_list made = {arena_new(a, step, 1), 1, false};
    made.at[0] = all;
    return made;
}

step_list steps_of(const trace *t, arena *a)
{
    marks m = find_marks(t, a);
    if (m.count == 0)
        return whole_trace(t, a);
    find_launched_work(t, &m);
    if (lacks_records(&m))
        find_launch_calls(t, &m);
    return marked_steps(t, &m, a);
}
