// SPDX-License-Identifier: BSD-3-Clause
// Any records as a trace: taking, sorting and linking them ends, what comes out holds together, and
// is the same if two took the records, one behind the other.
#include "fuzz/fuzz_target.h"

#include "link/link.h"
#include "link/steps.h"
#include "model/intake.h"
#include "support/same_trace.h"
#include "timeline/busy.h"

#include <stdlib.h>

// Bytes handed out one by one; behind the end there are zeros.
typedef struct feed {
    const uint8_t *at, *end;
} feed;

static uint8_t take_byte(feed *f)
{
    return f->at < f->end ? *f->at++ : 0;
}

// Mostly near to others, sometimes anywhere.
static int64_t take_time(feed *f)
{
    const uint8_t kind = take_byte(f);
    uint64_t value = take_byte(f);
    for (int i = 0; kind > 250 && i < 7; i++)
        value = value << 8 | take_byte(f);
    return kind > 240 ? (int64_t)value : (int64_t)value * (kind % 16);
}

static text take_word(feed *f, const text *words, size_t count)
{
    const uint8_t choice = take_byte(f);
    if (choice % 16 < 15)
        return words[choice % count];
    const size_t left = (size_t)(f->end - f->at), length = choice / 16u;
    const text word = {(const char *)f->at, length < left ? length : left};
    f->at += word.length;
    return word;
}

static const text CATEGORIES[] = {
    TEXT_INIT("cpu_op"),       TEXT_INIT("user_annotation"), TEXT_INIT("python_function"),
    TEXT_INIT("cuda_runtime"), TEXT_INIT("cuda_driver"),     TEXT_INIT("kernel"),
    TEXT_INIT("gpu_memcpy"),   TEXT_INIT("gpu_memset"),      TEXT_INIT("fwdbwd"),
    TEXT_INIT("ac2g"),         TEXT_INIT("Trace"),           TEXT_INIT("overhead"),
};
static const text NAMES[] = {
    TEXT_INIT("aten::mm"),          TEXT_INIT("ProfilerStep#1"),
    TEXT_INIT("cudaLaunchKernel"),  TEXT_INIT("cudaGraphLaunch"),
    TEXT_INIT("thread_name"),       TEXT_INIT("PyTorch Profiler (0)"),
    TEXT_INIT("Record Window End"), TEXT_INIT("enumerate(DataLoader)#x"),
    TEXT_INIT("[memory]"),          TEXT_INIT("ncclAllReduce(int)"),
};
static const text IDS[] = {
    TEXT_INIT("1"), TEXT_INIT("2"),          TEXT_INIT("7"),          TEXT_INIT("-1"),
    TEXT_INIT("0"), TEXT_INIT("4294967297"), TEXT_INIT("2147483647"), TEXT_INIT("CPU functions"),
};
static const text KEYS[] = {
    TEXT_INIT("deviceProperties"),    TEXT_INIT("distributedInfo"), TEXT_INIT("INFO"),
    TEXT_INIT("baseTimeNanoseconds"), TEXT_INIT("tprof_losses"),    TEXT_INIT("trace_id"),
};
static const text VALUES[] = {
    TEXT_INIT("[{\"id\":1,\"name\":\"x\"},{\"numSms\":4}]"),
    TEXT_INIT("{\"rank\":\"2\",\"world_size\":4,\"dropped_events\":5}"),
    TEXT_INIT("[\"\\ud83d\\ude80\",3]"),
    TEXT_INIT("1750000000000000000"),
    TEXT_INIT("null"),
};

static void feed_record(feed *f, const record_visitor *to)
{
    static const char phases[] = "XXXXXXXXBEsftiMC";
    record r = {.phase = phases[take_byte(f) % (sizeof(phases) - 1)]};
    r.fields = (uint32_t)take_byte(f) << 20 | (uint32_t)take_byte(f) << 12 |
               (uint32_t)take_byte(f) << 5 | FIELD_NAME | FIELD_CATEGORY | FIELD_PROCESS |
               FIELD_THREAD | FIELD_TIME;
    r.fields ^= take_byte(f) % 8 ? 0 : FIELD_TIME | FIELD_CATEGORY;
    r.category = take_word(f, CATEGORIES, ARRAY_LEN(CATEGORIES));
    r.name = r.arg_name = take_word(f, NAMES, ARRAY_LEN(NAMES));
    r.process = r.device = take_word(f, IDS, ARRAY_LEN(IDS));
    r.thread = r.stream = take_word(f, IDS, ARRAY_LEN(IDS));
    r.correlation = r.external = r.flow_id = take_word(f, IDS, ARRAY_LEN(IDS));
    r.shapes = r.types = r.stack = take_word(f, VALUES, ARRAY_LEN(VALUES));
    r.time_ns = take_time(f);
    r.duration_ns = take_time(f);
    r.sequence = take_byte(f) % 8;
    r.fwd_thread = take_byte(f) % 3;
    r.registers = r.bytes = take_byte(f) % 4;
    to->event(to->self, &r);
}

static void require(bool holds)
{
    if (!holds)
        abort();
}

static void check_event(const trace *t, uint32_t i)
{
    const events *e = &t->events;
    const uint32_t link = e->link[i];
    const bool work = role_is_device(e->role[i]);

    require(i == 0 || e->begin[i - 1] <= e->begin[i]);
    require(e->duration[i] >= 0 && raw_duration(t, i) >= e->duration[i]);
    require(e->lane[i] < t->lane_count && e->name[i] < t->strings.count);
    require(work == (t->lanes[e->lane[i]].kind == LANE_STREAM));
    require(!work || t->lanes[e->lane[i]].device < t->device_count);
    require(e->detail[i] == DETAIL_NONE ||
            e->detail[i] < (work ? t->device_detail_count : t->op_detail_count));
    if (link == EVENT_NONE)
        return;
    require(link < e->count);
    if (work)
        require(role_is_call(e->role[link]));
    else
        require(link < i && e->lane[link] == e->lane[i] && event_end(e, link) >= event_end(e, i));
}

// `correlation` is the column as it was before linking, which ends it.
static void check_launches(const trace *t, const uint32_t *correlation)
{
    const events *e = &t->events;

    for (uint32_t k = 0; k < t->work_count; k++) {
        const uint32_t work = t->work[k], by = t->launched_by[k];
        require(role_is_device(e->role[work]));
        require((by == LAUNCH_NONE) == (e->link[work] == EVENT_NONE));
        if (by == LAUNCH_NONE)
            continue;
        require(by < t->launch_count && t->launches[by].call == e->link[work]);
        require(correlation[e->link[work]] == correlation[work]);
    }
    for (uint32_t i = 0; i < t->range_count; i++)
        require(t->ranges[i].around == RANGE_NONE || t->ranges[i].around < i);
}

static void check_lanes(const trace *t)
{
    uint64_t stored = 0;
    for (uint32_t i = 0; i < t->lane_count; i++)
        stored += t->lanes[i].events;
    require(stored == t->events.count);
    for (uint32_t i = 1; i < t->device_count; i++)
        require(t->devices[i - 1].number <= t->devices[i].number);
}

static void check_steps(const trace *t)
{
    const step_list steps = steps_of(t, t->arena);
    require((steps.count > 0) == (t->events.count > 0));
    for (uint32_t i = 0; i < steps.count; i++) {
        require(steps.at[i].begin <= steps.at[i].end);
        require(steps.at[i].begin >= steps.at[i].host_begin);
        require(i == 0 || steps.at[i - 1].begin <= steps.at[i].begin);
    }
}

static void check(const trace *t)
{
    const busy_query all = {UINT32_MAX, 0, 0, BUSY_ANY, BUSY_ANY};
    const forward_table forwards = forwards_of(t, t->arena);
    int64_t durations = 0;

    for (uint32_t i = 0; i < t->events.count; i++) {
        check_event(t, i);
        require(!__builtin_add_overflow(durations, t->events.duration[i], &durations));
    }
    require(intervals_total(busy_intervals(t, &all, t->arena)) <= durations);
    for (uint32_t i = 0; i < forwards.count; i++)
        require(forwards.at[i].backward < t->events.count &&
                forwards.at[i].forward < t->events.count);
    check_lanes(t);
    check_steps(t);
}

static void feed_next(feed *f, const record_visitor *to)
{
    if (take_byte(f) > 250)
        to->metadata(to->self, take_word(f, KEYS, ARRAY_LEN(KEYS)),
                     take_word(f, VALUES, ARRAY_LEN(VALUES)));
    else
        feed_record(f, to);
}

static trace *take_whole(feed f)
{
    intake *in = intake_create();
    const record_visitor to = intake_visitor(in);

    while (f.at < f.end)
        feed_next(&f, &to);
    return intake_finish(in, false);
}

// By two intakes that share them behind the byte `cut`; NULL where these cannot be joined.
static trace *take_parts(feed f, const uint8_t *cut)
{
    intake *first = intake_create(), *second = intake_create_later();
    const record_visitor to_first = intake_visitor(first), to_second = intake_visitor(second);

    while (f.at < f.end)
        feed_next(&f, f.at < cut ? &to_first : &to_second);
    if (f.end - cut > 20) {
        intake_order(first, false);
        intake_order(second, false);
    }
    if (intake_join(first, second))
        return intake_finish(first, false);
    intake_drop(first);
    intake_drop(second);
    return NULL;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const feed f = {data, data + size};
    trace *t = take_whole(f), *parts = take_parts(f, data + (size ? size * data[0] / 255 : 0));

    require(!parts || !trace_difference(t, parts));
    trace_destroy(parts);
    const uint32_t count = t->events.count;
    uint32_t *correlation = arena_new(t->arena, uint32_t, count);
    if (count)
        memcpy(correlation, t->events.correlation, sizeof(*correlation) * count);
    trace_link(t, false);
    check(t);
    check_launches(t, correlation);
    trace_destroy(t);
    return 0;
}
