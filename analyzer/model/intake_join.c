// SPDX-License-Identifier: BSD-3-Clause
// Joins what two threads took of one file. Ids of the later part are given the numbers that they
// would have if all had been taken in a row; metadata and notes of it wait until then.
#include "model/intake_state.h"

#include "base/both.h"
#include "model/metadata.h"

static late_word *add_late(intake *in)
{
    arena_reserve_one(in->scratch, in->late, in->late_count, in->late_capacity);
    return &in->late[in->late_count++];
}

static text copy_of(text t, arena *a)
{
    return (text){arena_copy(a, t.at, t.length), t.length};
}

void intake_take_metadata(intake *in, text key, text raw_json)
{
    if (in->later)
        *add_late(in) = (late_word){.key = copy_of(key, in->scratch),
                                    .raw_json = copy_of(raw_json, in->scratch)};
    else
        metadata_take(&in->lanes, key, raw_json);
}

void intake_take_note(intake *in, const health_note *note)
{
    if (in->late_count)
        *add_late(in) = (late_word){.is_note = true, .note = *note};
    else
        trace_note_seen(in->trace, note);
    if (strcmp(note->code, "truncated") == 0)
        in->trace->truncated = true;
}

typedef struct join {
    intake *to;
    const intake *from;
    uint32_t first;                                                 // row of what comes from `from`
    uint32_t *string_of, *lane_of, *operator_of, *work_of, *odd_of; // new ids, by those of `from`
} join;

static text text_in(const join *j, uint32_t string)
{
    return strings_text(&j->from->trace->strings, string);
}

static uint32_t string_or_none(const join *j, uint32_t string)
{
    return string == STRING_NONE ? STRING_NONE : j->string_of[string];
}

static uint32_t *join_strings(strings *to, const strings *from, arena *a)
{
    uint32_t *const moved = arena_new(a, uint32_t, from->count);
    for (uint32_t i = 0; i < from->count; i++)
        moved[i] = strings_intern(to, strings_text(from, i));
    return moved;
}

static void join_name_flags(const join *j)
{
    for (uint32_t i = 0; i < j->from->flags_capacity && i < j->from->trace->strings.count; i++) {
        if (!j->from->trace->name_flags[i])
            continue;
        intake_reserve_flags(j->to, j->string_of[i]);
        j->to->trace->name_flags[j->string_of[i]] |= j->from->trace->name_flags[i];
    }
}

static uint32_t join_lane(const join *j, uint32_t id)
{
    const trace *const from = j->from->trace;
    const lane *const l = &from->lanes[id];
    lane_table *const lanes = &j->to->lanes;

    if (l->kind == LANE_THREAD)
        return lanes_thread(lanes, text_in(j, l->process), text_in(j, l->thread));
    return lanes_stream(lanes, text_in(j, l->process),
                        text_in(j, j->from->lanes.written_thread[id]),
                        text_in(j, from->devices[l->device].id), text_in(j, l->thread));
}

static void join_lanes(join *j)
{
    const trace *const from = j->from->trace;
    const id_map *const names = &j->from->lanes.thread_names;

    for (uint32_t i = 0; i < from->lane_count; i++) {
        j->lane_of[i] = join_lane(j, i);
        j->to->trace->lanes[j->lane_of[i]].events += from->lanes[i].events;
    }
    for (uint32_t i = 0; i < names->capacity; i++)
        if (names->ids[i] != ID_NONE)
            lanes_name_thread(&j->to->lanes, text_in(j, (uint32_t)(names->keys[i] >> 32)),
                              text_in(j, (uint32_t)names->keys[i]), text_in(j, names->ids[i]));
}

static void join_details(join *j)
{
    const trace *const from = j->from->trace;

    for (uint32_t i = 0; i < from->op_detail_count; i++) {
        const op_detail *const d = &from->op_details[i];
        j->operator_of[i] = details_add_operator(
            &j->to->details, &(op_detail){string_or_none(j, d->shapes), string_or_none(j, d->types),
                                          string_or_none(j, d->stack)});
    }
    for (uint32_t i = 0; i < from->device_detail_count; i++)
        j->work_of[i] = details_add_work(&j->to->details, &from->device_details[i]);
}

static void join_categories(const join *j)
{
    const trace *const from = j->from->trace;

    for (uint32_t i = 0; i < from->category_count; i++) {
        const category_count *const c = &from->categories[i];
        category_use *const use = category_table_use(&j->to->categories, text_in(j, c->word));
        const uint32_t row = category_table_row(&j->to->categories, use, (role)c->role);
        j->to->trace->categories[row].records += c->records;
        j->to->trace->categories[row].total_ns += c->total_ns;
    }
}

static void join_marks(const join *j)
{
    trace *const t = j->to->trace;
    const trace *const from = j->from->trace;

    for (uint32_t i = 0; i < from->sequence_count; i++) {
        arena_reserve_one(t->arena, t->sequences, t->sequence_count, t->sequence_capacity);
        t->sequences[t->sequence_count] = from->sequences[i];
        t->sequences[t->sequence_count++].event += j->first;
    }
    for (uint32_t i = 0; i < from->flow_count; i++) {
        arena_reserve_one(t->arena, t->flows, t->flow_count, t->flow_capacity);
        t->flows[t->flow_count] = from->flows[i];
        t->flows[t->flow_count++].lane = j->lane_of[from->flows[i].lane];
    }
}

static void join_window(window_marks *to, const window_marks *from)
{
    if (from->span_seen) {
        to->span_seen = true;
        to->span_begin = from->span_begin;
        to->span_end = from->span_end;
    }
    if (from->end_seen) {
        to->end_seen = true;
        to->end = from->end;
    }
}

static uint32_t joined_key(const join *j, uint32_t key)
{
    return key < ID_KEY_ODD || key == KEY_NONE ? key : ID_KEY_ODD + j->odd_of[key - ID_KEY_ODD];
}

static uint32_t joined_detail(const join *j, role as, uint32_t detail)
{
    if (detail == DETAIL_NONE)
        return detail;
    return role_is_device(as) ? j->work_of[detail] : j->operator_of[detail];
}

static void renumber_names(void *self)
{
    const join *const j = self;
    const events *const e = &j->to->trace->events;

    for (uint32_t i = j->first; i < e->count; i++) {
        e->name[i] = j->string_of[e->name[i]];
        e->lane[i] = j->lane_of[e->lane[i]];
    }
}

static void renumber_keys(void *self)
{
    const join *const j = self;
    const events *const e = &j->to->trace->events;

    for (uint32_t i = j->first; i < e->count; i++) {
        e->correlation[i] = joined_key(j, e->correlation[i]);
        e->external[i] = joined_key(j, e->external[i]);
        e->detail[i] = joined_detail(j, (role)e->role[i], e->detail[i]);
    }
}

static void join_words(const join *j)
{
    const trace *const from = j->from->trace;

    for (uint32_t i = 0; i < from->note_count; i++)
        intake_take_note(j->to, &from->notes[i]);
    for (uint32_t i = 0; i < j->from->late_count; i++) {
        const late_word *const w = &j->from->late[i];
        if (w->is_note)
            intake_take_note(j->to, &w->note);
        else
            intake_take_metadata(j->to, w->key, w->raw_json);
    }
}

static void join_events(join *j)
{
    trace *const t = j->to->trace, *const from = j->from->trace;
    const uint32_t first_count = t->events.count;

    events_move(&t->events, t->arena, &from->events, from->arena);
    j->first = first_count + t->events.empty;
    do_both(true, renumber_names, renumber_keys, j);
    j->to->order =
        events_order_join(&t->events, j->to->order, first_count, j->from->order, t->arena);
}

static void mend_zero_times(intake *to, intake *from)
{
    if (to->zero_times == 0 && from->zero_times == 0)
        return;
    const int64_t first = intake_first_time(to), other = intake_first_time(from);
    const int64_t earlier = first < other ? first : other;
    intake_mend_zero_times(to, earlier);
    intake_mend_zero_times(from, earlier);
}

static void order_if_not_yet(intake *in)
{
    if (!in->ordered)
        intake_order(in, false);
}

static bool can_join(const intake *to, const intake *from)
{
    return to->joinable && from->joinable && to->durations <= DURATIONS_MAX - from->durations &&
           from->trace->events.count <= EVENTS_MOST - to->trace->events.count;
}

bool intake_join(intake *to, intake *from)
{
    if (!can_join(to, from))
        return false;
    mend_zero_times(to, from);
    order_if_not_yet(to);
    order_if_not_yet(from);

    trace *const t = to->trace, *const other = from->trace;
    join j = {
        .to = to,
        .from = from,
        .string_of = join_strings(&t->strings, &other->strings, from->scratch),
        .odd_of = join_strings(&to->ids.odd, &from->ids.odd, from->scratch),
        .lane_of = arena_new(from->scratch, uint32_t, other->lane_count),
        .operator_of = arena_new(from->scratch, uint32_t, other->op_detail_count),
        .work_of = arena_new(from->scratch, uint32_t, other->device_detail_count),
    };
    join_name_flags(&j);
    join_lanes(&j);
    join_details(&j);
    join_categories(&j);
    join_window(&to->marks, &from->marks);
    join_events(&j);
    join_marks(&j);
    join_words(&j);
    t->records += other->records;
    to->durations += from->durations;
    to->zero_times += from->zero_times;
    to->mended_times += from->mended_times;
    intake_drop(from);
    return true;
}
