// SPDX-License-Identifier: BSD-3-Clause
// Takes a reader's records and makes a trace of them: roles, lanes, details and keys of each event
// while it passes. intake_finish.c does the rest.
#include "model/intake_state.h"

// Bits of name_flags that no name has: flags of host events, calls, device work were worked out.
#define FLAGS_KNOWN (1u << 29)

// Bounds that keep every sum of times inside int64_t: stamps up to the year 2116.
static const int64_t TIME_MIN = -((int64_t)1 << 60), TIME_MAX = (int64_t)1 << 62;

static text field(const record *r, record_field present, text value)
{
    return r->fields & present ? value : (text){"", 0};
}

static bool is_named(const record *r, const char *name)
{
    return text_equal(field(r, FIELD_NAME, r->name), text_of(name));
}

void intake_reserve_flags(intake *in, uint32_t name)
{
    trace *const t = in->trace;
    if (name < in->flags_capacity)
        return;
    const uint32_t wanted = t->strings.capacity;
    t->name_flags =
        arena_grow(t->arena, t->name_flags, sizeof(*t->name_flags), in->flags_capacity, wanted);
    in->flags_capacity = wanted;
}

// What a name tells depends on what has it, so that is worked out for each kind of event at first
// use.
static uint32_t flags_of_name(intake *in, uint32_t name, role as)
{
    static uint32_t (*const flags_as[])(text) = {name_flags_host, name_flags_call, name_flags_work};
    trace *const t = in->trace;
    const int kind = role_is_device(as) ? 2 : role_is_call(as);
    const uint32_t known = FLAGS_KNOWN << kind;

    intake_reserve_flags(in, name);
    if (!(t->name_flags[name] & known))
        t->name_flags[name] |= flags_as[kind](strings_text(&t->strings, name)) | known;
    return t->name_flags[name];
}

// Only the export of torch's profiler without kineto leaves categories out: its process is a text.
static role role_without_category(text process)
{
    if (text_equal(process, TEXT("CPU functions")))
        return ROLE_OPERATOR;
    return text_ends(process, TEXT(" functions")) ? ROLE_KERNEL : ROLE_OTHER;
}

static role role_of_phase(const record *r)
{
    switch (r->phase) {
    case 'M':
        return ROLE_METADATA;
    case 's':
    case 't':
    case 'f':
        return ROLE_FLOW;
    case 'C':
        return ROLE_COUNTER;
    case 'i':
    case 'I':
        return is_named(r, "[memory]") || is_named(r, "[OutOfMemory]") ? ROLE_MEMORY : ROLE_OTHER;
    default:
        return ROLE_OTHER;
    }
}

static role role_of_timed(const record *r, const category_use *use)
{
    const role by_word = r->fields & FIELD_CATEGORY
                             ? use->role
                             : role_without_category(field(r, FIELD_PROCESS, r->process));
    return by_word == ROLE_PYTHON && r->fields & FIELD_MODULE_ID ? ROLE_MODULE : by_word;
}

static void note(intake *in, const record *r, const char *code, const char *what)
{
    trace_note(in->trace, code, NOTE_WARNING, (int64_t)r->offset, what);
}

// Whether the reader could not keep the number, and said so.
static bool is_told(int64_t ns)
{
    return ns == INT64_MIN || ns == INT64_MAX;
}

// What is centuries away would be all that a report shows, so the event is left out.
static bool has_impossible_time(intake *in, const record *r)
{
    if (!(r->fields & FIELD_TIME) || r->phase == 'M' ||
        (r->time_ns >= TIME_MIN && r->time_ns <= TIME_MAX))
        return false;
    if (!is_told(r->time_ns))
        note(in, r, "time_out_of_range", "an event at a time no clock shows was left out");
    return true;
}

// Adds to the sum of durations what fits.
static int64_t usable_duration(intake *in, const record *r, int64_t duration)
{
    if (duration < 0) {
        note(in, r, "negative_duration", "a negative duration was counted as 0");
        return 0;
    }
    if (duration > DURATIONS_MAX - in->durations) {
        if (!is_told(duration))
            note(in, r, "time_out_of_range",
                 "a duration no clock shows: counted with a duration of 0");
        duration = 0;
    }
    in->durations += duration;
    return duration;
}

static int64_t duration_of(intake *in, const record *r)
{
    if (r->phase == 'B')
        return 0; // its end tells
    if (!(r->fields & FIELD_DURATION)) {
        note(in, r, "missing_duration", "an event without a duration was counted with 0");
        return 0;
    }
    return usable_duration(in, r, r->duration_ns);
}

static uint32_t detail_of(intake *in, const record *r, role as)
{
    if (as == ROLE_OPERATOR)
        return details_operator(&in->details, r);
    return role_is_device(as) ? details_device(&in->details, r) : DETAIL_NONE;
}

static uint32_t thread_of(intake *in, const record *r)
{
    uint32_t *const known = &in->token_lanes[r->lane_token];
    if (*known)
        return *known - 1;
    const uint32_t found = lanes_thread(&in->lanes, field(r, FIELD_PROCESS, r->process),
                                        field(r, FIELD_THREAD, r->thread));
    *known = r->lane_token ? found + 1 : 0;
    return found;
}

static uint32_t lane_of(intake *in, const record *r, role as)
{
    if (!role_is_device(as))
        return thread_of(in, r);
    return lanes_stream(&in->lanes, field(r, FIELD_PROCESS, r->process),
                        field(r, FIELD_THREAD, r->thread), field(r, FIELD_DEVICE, r->device),
                        field(r, FIELD_STREAM, r->stream));
}

static void mark_sequence(trace *t, const record *r, uint32_t event)
{
    arena_reserve_one(t->arena, t->sequences, t->sequence_count, t->sequence_capacity);
    t->sequences[t->sequence_count++] =
        (sequence_mark){event, r->sequence, r->fields & FIELD_FWD_THREAD ? r->fwd_thread : 0};
}

static uint64_t thread_key(intake *in, const record *r)
{
    strings *const s = &in->trace->strings;
    const uint32_t process = strings_intern(s, field(r, FIELD_PROCESS, r->process));
    return (uint64_t)process << 32 | strings_intern(s, field(r, FIELD_THREAD, r->thread));
}

static uint32_t store(intake *in, const record *r, role as, uint32_t name)
{
    trace *const t = in->trace;
    events *const e = &t->events;
    const uint32_t i = events_append(e, t->arena);

    e->begin[i] = r->time_ns;
    in->zero_times += r->time_ns == 0;
    e->duration[i] = duration_of(in, r);
    e->name[i] = name;
    e->lane[i] = lane_of(in, r, as);
    e->role[i] = (uint8_t)as;
    e->correlation[i] = r->fields & FIELD_CORRELATION && as >= ROLE_RUNTIME
                            ? id_keys_of(&in->ids, r->correlation)
                            : KEY_NONE;
    e->external[i] = r->fields & FIELD_EXTERNAL ? id_keys_of(&in->ids, r->external) : KEY_NONE;
    e->detail[i] = detail_of(in, r, as);
    t->lanes[e->lane[i]].events++;
    if (as == ROLE_OPERATOR && r->fields & FIELD_SEQUENCE)
        mark_sequence(t, r, i);
    return i;
}

static void take_range_end(intake *in, const record *r)
{
    trace *const t = in->trace;
    open_range range;

    if (!open_ranges_pop(&in->ranges, thread_key(in, r), &range)) {
        note(in, r, "unmatched_end", "an end (ph E) without a begin on its thread");
        return;
    }
    if (range.event == EVENT_NONE)
        return;
    const int64_t elapsed = r->time_ns - t->events.begin[range.event];
    t->events.duration[range.event] = usable_duration(in, r, elapsed);
    t->categories[range.category].total_ns += t->events.duration[range.event];
}

static void take_flow(intake *in, const record *r)
{
    trace *const t = in->trace;
    if (r->phase == 't' || !(r->fields & FIELD_TIME))
        return;
    const text id = field(r, FIELD_FLOW_ID, r->flow_id);
    arena_reserve_one(t->arena, t->flows, t->flow_count, t->flow_capacity);
    t->flows[t->flow_count++] = (flow_end){
        .id = hash_bytes(id.at, id.length),
        .time_ns = r->time_ns,
        .lane = lane_of(in, r, ROLE_OPERATOR),
        .start = r->phase == 's',
    };
}

static void take_span(intake *in, const record *r)
{
    if (!(r->fields & FIELD_DURATION) || r->duration_ns <= 0)
        return;
    in->marks.span_seen = true;
    in->marks.span_begin = r->time_ns;
    in->marks.span_end =
        in->marks.span_begin + (r->duration_ns < DURATIONS_MAX ? r->duration_ns : DURATIONS_MAX);
}

static void take_unstored(intake *in, const record *r, const category_use *use, role as)
{
    if (as == ROLE_FLOW) {
        if (use->forward_backward)
            take_flow(in, r);
    } else if (as == ROLE_METADATA && r->fields & FIELD_ARG_NAME && is_named(r, "thread_name")) {
        lanes_name_thread(&in->lanes, field(r, FIELD_PROCESS, r->process),
                          field(r, FIELD_THREAD, r->thread), r->arg_name);
    } else if (as == ROLE_SPAN && is_named(r, "PyTorch Profiler (0)")) {
        take_span(in, r);
    } else if (as == ROLE_OTHER && r->fields & FIELD_TIME && is_named(r, "Record Window End")) {
        in->marks.end_seen = true;
        in->marks.end = r->time_ns;
    }
}

static void count_record(intake *in, uint32_t category, int64_t duration)
{
    category_count *const count = &in->trace->categories[category];
    count->records++;
    count->total_ns += duration;
}

static void take_stored(intake *in, const record *r, category_use *use, role as)
{
    trace *const t = in->trace;
    const uint32_t name = strings_intern(&t->strings, field(r, FIELD_NAME, r->name));
    const uint32_t flags = flags_of_name(in, name, as);
    if ((as == ROLE_OPERATOR || as == ROLE_ANNOTATION) && flags & NAME_STEP)
        as = ROLE_STEP;

    const uint32_t category = category_table_row(&in->categories, use, as);
    const uint32_t event = store(in, r, as, name);
    count_record(in, category, t->events.duration[event]);
    if (r->phase == 'B')
        open_ranges_push(&in->ranges, thread_key(in, r), event, category);
}

static void take_timed(intake *in, const record *r, category_use *use)
{
    const role as = role_of_timed(r, use);
    if (role_is_stored(as)) {
        take_stored(in, r, use, as);
        return;
    }
    const uint32_t category = category_table_row(&in->categories, use, as);
    count_record(in, category, duration_of(in, r));
    take_unstored(in, r, use, as);
    if (r->phase == 'B')
        open_ranges_push(&in->ranges, thread_key(in, r), EVENT_NONE, category);
}

static category_use *use_of(intake *in, const record *r)
{
    category_use **const known = &in->token_uses[r->category_token];
    if (*known)
        return *known;
    category_use *const use =
        category_table_use(&in->categories, field(r, FIELD_CATEGORY, r->category));
    *known = r->category_token ? use : NULL;
    return use;
}

static void take_event(void *self, const record *r)
{
    intake *const in = self;
    const bool timed = r->phase == 'X' || r->phase == 'B';

    in->trace->records++;
    if (r->phase == 'B' || r->phase == 'E' || in->late_count)
        in->joinable = false;
    if (has_impossible_time(in, r))
        return;
    if (r->phase == 'E') {
        take_range_end(in, r);
        return;
    }
    if (r->phase == 0 && r->fields & FIELD_TIME) {
        note(in, r, "skipped_element", "an event without a phase (ph)");
        return;
    }
    if (timed && !(r->fields & FIELD_TIME)) {
        note(in, r, "skipped_element", "an event without a usable time");
        return;
    }
    category_use *const use = use_of(in, r);
    if (timed) {
        take_timed(in, r, use);
        return;
    }
    const role as = role_of_phase(r);
    count_record(in, category_table_row(&in->categories, use, as), 0);
    take_unstored(in, r, use, as);
}

static void take_metadata(void *self, text key, text raw_json)
{
    intake_take_metadata(self, key, raw_json);
}

static void take_note(void *self, const char *code, note_severity severity, uint64_t offset,
                      const char *what)
{
    intake_take_note(self, &(health_note){code, severity, 1, (int64_t)offset, what});
}

intake *intake_create(void)
{
    arena *const a = arena_create();
    arena *const scratch = arena_create();
    trace *const t = arena_new(a, trace, 1);
    intake *const in = arena_new(scratch, intake, 1);

    t->arena = a;
    t->strings.arena = a;
    t->strings.scratch = scratch;
    t->rank = t->world_size = -1;
    t->window_begin = t->window_end = TIME_NONE;
    in->trace = t;
    in->scratch = scratch;
    in->lanes = lanes_begin(t, scratch);
    in->categories = (category_table){.trace = t, .scratch = scratch};
    in->details = (detail_table){.trace = t, .scratch = scratch, .works.arena = scratch};
    in->ids.odd.arena = in->ranges.arena = scratch;
    in->joinable = true;
    return in;
}

intake *intake_create_later(void)
{
    intake *const in = intake_create();
    in->later = true;
    return in;
}

void intake_drop(intake *in)
{
    trace_destroy(in->trace);
    arena_destroy(in->scratch); // which holds the intake itself
}

record_visitor intake_visitor(intake *in)
{
    return (record_visitor){in, take_event, take_metadata, take_note};
}
