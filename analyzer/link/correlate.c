// SPDX-License-Identifier: BSD-3-Clause
// Which call launched which device work.
#include "link/correlate.h"

// The call of each correlation key. Keys are counted up by the writer, so a slot a key is the rule;
// where they are scattered, the slots are a hash table of events, whose keys stand in the events.
typedef struct call_table {
    const events *events;
    uint32_t *slots; // events, or EVENT_NONE
    uint32_t count;  // of slots; hashed: a power of two
    uint32_t first;  // key of the first slot, where not hashed
    bool hashed;
} call_table;

static bool is_correlated_call(const events *e, uint32_t i)
{
    return role_is_call(e->role[i]) && e->correlation[i] != KEY_NONE;
}

static call_table make_table(const events *e, arena *a)
{
    uint32_t first = UINT32_MAX, last = 0, calls = 0;
    for (uint32_t i = 0; i < e->count; i++) {
        if (!is_correlated_call(e, i))
            continue;
        first = e->correlation[i] < first ? e->correlation[i] : first;
        last = e->correlation[i] > last ? e->correlation[i] : last;
        calls++;
    }
    call_table made = {.events = e, .first = first};
    if (calls && last - first > e->count) {
        made.hashed = true;
        for (made.count = 64; made.count / 2 < calls;)
            made.count *= 2;
    } else if (calls) {
        made.count = last - first + 1;
    }
    made.slots = arena_new(a, uint32_t, made.count);
    memset(made.slots, 0xff, sizeof(*made.slots) * made.count);
    return made;
}

// The slot of a key, or NULL where no call can have it.
static uint32_t *slot_of(const call_table *c, uint32_t key)
{
    if (!c->hashed)
        return key >= c->first && key - c->first < c->count ? &c->slots[key - c->first] : NULL;

    uint32_t at = (uint32_t)((key * UINT64_C(0x9e3779b97f4a7c15)) >> 32) & (c->count - 1);
    while (c->slots[at] != EVENT_NONE && c->events->correlation[c->slots[at]] != key)
        at = (at + 1) & (c->count - 1);
    return &c->slots[at];
}

// A launch may be recorded by the runtime and by the driver below it under one id: the longest call
// is the one around the others, and what the host waited for. Of equal ones the first.
static void take_call(call_table *c, uint32_t call)
{
    uint32_t *const slot = slot_of(c, c->events->correlation[call]);
    if (*slot == EVENT_NONE || c->events->duration[call] > c->events->duration[*slot])
        *slot = call;
}

static void list_work(trace *t)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < t->lane_count; i++)
        count += t->lanes[i].kind == LANE_STREAM ? t->lanes[i].events : 0;

    t->work = arena_new(t->arena, uint32_t, count);
    for (uint32_t i = 0; t->work_count < count; i++)
        if (role_is_device(t->events.role[i]))
            t->work[t->work_count++] = i;
}

void correlate(trace *t)
{
    events *const e = &t->events;

    list_work(t);
    if (t->work_count == 0)
        return;
    call_table calls = make_table(e, t->arena);
    for (uint32_t i = 0; i < e->count; i++)
        if (is_correlated_call(e, i))
            take_call(&calls, i);
    for (uint32_t k = 0; calls.count && k < t->work_count; k++) {
        const uint32_t work = t->work[k], key = e->correlation[work];
        const uint32_t *const call = key == KEY_NONE ? NULL : slot_of(&calls, key);
        e->link[work] = call ? *call : EVENT_NONE;
    }
    arena_release(t->arena, calls.slots);
}
