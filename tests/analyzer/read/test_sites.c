// SPDX-License-Identifier: BSD-3-Clause
#include "support/cmocka_all.h"

#include "base/id_map.h"
#include "read/known_values.h"
#include "read/read_chrome.h"
#include "read/sites.h"
#include "support/temp_dir.h"

#include <stdio.h>
#include <string.h>

static site *learn(sites *t, site *before, const char *bytes, bool from_args, uint64_t offset)
{
    const site_gap gap = {.bytes = text_of(bytes),
                          .brace = SITE_NO_BRACE,
                          .from_args = from_args,
                          .in_args = true,
                          .key = CHROME_STREAM};
    return sites_learn(t, before, &gap, offset);
}

static void a_gap_is_learned_once_and_follows_each_site(void **state)
{
    arena *a = arena_create();
    sites t = {0};
    (void)state;

    sites_begin(&t, a, 0);
    site *first = learn(&t, sites_loose(&t, false), ", \"a\": ", false, 10);
    site *second = learn(&t, first, ", \"stream\": ", false, 20);
    assert_ptr_equal(learn(&t, second, ", \"a\": ", false, 30), first);
    assert_ptr_not_equal(learn(&t, second, ", \"a\": ", true, 40), first);
    assert_int_equal(first->follower_count, 1);
    assert_int_equal(second->follower_count, 2);
    assert_int_equal(first->length, 7);
    assert_int_equal(second->bit, FIELD_STREAM);
    assert_true(first->in_args);
    arena_destroy(a);
}

static void what_cannot_be_learned_is_loose(void **state)
{
    arena *a = arena_create();
    sites t = {0};
    char longest[SITE_BYTES + 2] = {0};
    (void)state;

    sites_begin(&t, a, 0);
    memset(longest, ' ', SITE_BYTES);
    assert_ptr_not_equal(learn(&t, sites_loose(&t, false), longest, false, 1),
                         sites_loose(&t, true));
    longest[SITE_BYTES] = ' ';
    assert_ptr_equal(learn(&t, sites_loose(&t, false), longest, false, 1), sites_loose(&t, true));
    assert_ptr_equal(learn(&t, sites_loose(&t, false), "", false, 1), sites_loose(&t, true));
    for (int i = 0; i < 2 * SITES_MAX; i++) {
        snprintf(longest, sizeof(longest), "%d", i);
        learn(&t, sites_loose(&t, false), longest, false, 1);
    }
    assert_int_equal(t.count, SITES_MAX);
    assert_ptr_equal(learn(&t, sites_loose(&t, false), "x", false, 1), sites_loose(&t, true));
    arena_destroy(a);
}

static void too_many_misses_turn_them_off(void **state)
{
    arena *a = arena_create();
    sites few = {0}, many = {0};
    (void)state;

    sites_begin(&few, a, 0);
    sites_begin(&many, a, 0);
    for (uint64_t i = 1; i <= 10000; i++) {
        learn(&few, sites_loose(&few, false), "x", false, i * 1000);
        learn(&many, sites_loose(&many, false), "x", false, i * 20);
    }
    assert_false(few.off);
    assert_true(many.off);
    arena_destroy(a);
}

static uint32_t seed;

static uint32_t random_below(uint32_t limit)
{
    seed = seed * 1664525 + 1013904223;
    return (seed >> 8) % limit;
}

static char json[2 * 1024 * 1024];

// One event after the other: ph, cat, name, pid, tid, ts.
static int put_events(char *to, int count)
{
    int length = 0;
    for (int i = 0; i < count; i++)
        length += sprintf(to + length,
                          ",{\"ph\":\"X\",\"cat\":\"%s\",\"name\":\"n%d\",\"pid\":425,\"tid\":%u,"
                          "\"ts\":%d.000}",
                          random_below(3) ? "kernel" : "cpu_op", i, 7 + random_below(3), i);
    return length;
}

typedef struct seen_tokens {
    int lanes, categories, events; // how many events had one
    char lane[RECORD_TOKENS][8], category[RECORD_TOKENS][8];
} seen_tokens;

static int see_token(uint16_t token, char seen[][8], text t)
{
    if (token == 0)
        return 0;
    if (seen[token][0])
        assert_true(text_equal(text_of(seen[token]), t));
    memcpy(seen[token], t.at, t.length);
    return 1;
}

static void on_token(void *self, const record *r)
{
    seen_tokens *s = self;
    char name[16];

    assert_memory_equal(json + r->offset, "{\"ph\"", 5);
    snprintf(name, sizeof(name), "n%d", s->events - 1);
    assert_true(text_equal(r->name, text_of(s->events ? name : "first")));
    s->events++;
    s->lanes += see_token(r->lane_token, s->lane, r->thread);
    s->categories += see_token(r->category_token, s->category, r->category);
}

static void check_tokens(const read_limits *limits, bool background)
{
    static seen_tokens seen;
    const record_visitor visitor = {.self = &seen, .event = on_token};
    error err = {0};
    input *in;

    seen = (seen_tokens){0};
    assert_int_equal(input_open(temp_path("joined"), limits, background, &in, &err), ERR_NONE);
    assert_int_equal(read_chrome(in, limits, &visitor, &err), ERR_NONE);
    input_close(in);
    assert_int_equal(seen.events, 4001);
    assert_true(seen.lanes > 3000);
    assert_true(seen.categories > 1000);
}

static void values_that_stand_there_always_are_part_of_a_gap(void **state)
{
    (void)state;

    int length = sprintf(json, "{\"traceEvents\": [{\"ph\":\"X\",\"name\":\"first\"}");
    length += put_events(json + length, 4000);
    length += sprintf(json + length, "]}");
    write_whole_file(temp_path("joined"), json, (size_t)length);
    check_tokens(&(read_limits){.gap_values = 64}, false);
    for (uint32_t window = 400; window < 20000; window *= 2)
        check_tokens(
            &(read_limits){.gap_values = 64, .window_bytes = window, .ahead = AHEAD_ALWAYS}, true);
}

static void known_values_are_found_and_told_apart(void **state)
{
    static char texts[3000][200]; // with room behind each, as in a window
    arena *a = arena_create();
    known_values k = {0};
    int found = 0;
    (void)state;

    // Indented ones begin alike, so that buckets become crowded.
    known_values_begin(&k, a);
    for (int i = 0; i < 3000; i++) {
        const int indent = i % 12;
        snprintf(texts[i], sizeof(texts[i]), "[\n%*s[\n%*s%d,\n%*s768\n%*s]\n%*s]", indent + 2, "",
                 indent + 4, "", i, indent + 4, "", indent + 2, "", indent, "");
        const text raw = text_of(texts[i]);
        assert_null(known_values_find(&k, raw.at, raw.length));
        known_values_add(&k, raw, (text){raw.at, 1});
    }
    for (int i = 0; i < 3000; i++) {
        const text raw = text_of(texts[i]);
        const known_value *v = known_values_find(&k, raw.at, raw.length + 10);
        found += v != NULL;
        if (v) {
            assert_true(text_equal(v->raw, raw));
            assert_int_equal(v->compact.length, 1);
        }
        assert_null(known_values_find(&k, raw.at, raw.length - 1));
    }
    assert_true(found > 2500);
    arena_destroy(a);
}

static const char *const BLANKS[] = {"", " ", "\n  ", "\n      "};

static int put_blank(char *to, uint32_t style)
{
    return sprintf(to, "%s", BLANKS[style < 4 ? style : random_below(4)]);
}

// Members of an event or its args, in random order where `shuffle`.
static int put_members(char *to, const char *const *members, int count, uint32_t style,
                       bool shuffle)
{
    int length = 0, put = 0;
    for (int i = 0; i < count; i++) {
        if (random_below(10) == 0)
            continue;
        length += sprintf(to + length, "%s", put++ ? "," : "");
        length += put_blank(to + length, style);
        const char *member = members[shuffle ? (int)random_below((uint32_t)count) : i];
        for (; *member; member++) {
            if (*member == '#')
                length += sprintf(to + length, "%u", random_below(1u << random_below(24)));
            else
                to[length++] = *member;
        }
    }
    return length;
}

static int put_event(char *to, uint32_t style, bool shuffle)
{
    static const char *const MEMBERS[] = {
        "\"ph\": \"X\"", "\"cat\": \"kernel\"", "\"name\": \"k<#, 4>\"",
        "\"pid\": 425",  "\"tid\": \"#\"",      "\"ts\": #.0#",
        "\"dur\":#",     "\"id\": #",           "\"x\": {\"ts\": [#]}"};
    static const char *const ARGS[] = {"\"External id\": #",
                                       "\"Input Dims\": [[#, 3], [], [64]]",
                                       "\"grid\": [#, 1, 1]",
                                       "\"stream\": 7",
                                       "\"Python parent id\": null",
                                       "\"bytes\": \"#\"",
                                       "\"blocks per SM\": 0.#",
                                       "\"Input type\": [\"float\", \"a#\"]",
                                       "\"s\": \"\\u00e9 \\\"q\\\"\"",
                                       "\"w\": NaN",
                                       "\"correlation\": -#",
                                       "\"c\": true",
                                       "\"Concrete Inputs\": [\"\", \"[#, 1]\"]",
                                       "\"est. achieved occupancy %\": #",
                                       "\"Call stack\": \"a.py(#): f;b.py(2): g;\""};
    int length = sprintf(to, "{");

    length += put_members(to + length, MEMBERS, (int)ARRAY_LEN(MEMBERS), style, shuffle);
    if (random_below(4)) {
        length += sprintf(to + length, "%s \"args\": {", to[length - 1] == '{' ? "" : ",");
        length += put_members(to + length, ARGS, (int)ARRAY_LEN(ARGS), style, shuffle);
        length += put_blank(to + length, style);
        length += sprintf(to + length, "}");
    }
    length += put_blank(to + length, style);
    return length + sprintf(to + length, "}");
}

// The hash of what a visitor was told, order included.
static void mix(uint64_t *hash, text t)
{
    *hash = *hash * 31 + hash_bytes(t.at, t.length) + t.length;
}

static void on_event(void *self, const record *r)
{
    uint64_t *hash = self;
    const text texts[] = {r->name,     r->category, r->process, r->thread,  r->correlation,
                          r->external, r->device,   r->stream,  r->flow_id, r->shapes,
                          r->types,    r->stack,    r->arg_name};
    for (size_t i = 0; i < ARRAY_LEN(texts); i++)
        mix(hash, texts[i]);
    *hash = *hash * 31 + r->offset + r->fields + (uint64_t)r->phase;
    *hash = *hash * 31 + (uint64_t)r->time_ns * 3 + (uint64_t)r->duration_ns;
    if (r->fields & FIELD_BYTES)
        *hash += (uint64_t)r->bytes;
    if (r->fields & FIELD_GRID)
        *hash = *hash * 31 + (uint64_t)r->grid[0] + (uint64_t)r->grid[1] * 7 + (uint64_t)r->grid[2];
    if (r->fields & FIELD_OCCUPANCY)
        *hash = *hash * 31 + (uint64_t)r->occupancy_percent;
}

static void on_note(void *self, const char *code, note_severity severity, uint64_t offset,
                    const char *what)
{
    (void)severity;
    (void)what;
    mix(self, text_of(code));
    *(uint64_t *)self += offset;
}

static uint64_t hash_read(const read_limits *limits, bool background)
{
    uint64_t hash = 0;
    const record_visitor visitor = {.self = &hash, .event = on_event, .note = on_note};
    error err = {0};
    input *in;

    assert_int_equal(input_open(temp_path("trace"), limits, background, &in, &err), ERR_NONE);
    assert_int_equal(read_chrome(in, limits, &visitor, &err), ERR_NONE);
    input_close(in);
    return hash;
}

static uint64_t hash_of(const read_limits *limits)
{
    return hash_read(limits, false);
}

static void learned_gaps_change_nothing(void **state)
{
    static const char *const SCANNERS[] = {"scalar", "sse2", "avx2", "neon"};
    (void)state;

    for (seed = 0; seed < 24; seed++) {
        const uint32_t style = seed % 6, begun = seed;
        const bool shuffle = seed % 4 == 3;
        const int events = seed % 8 == 7 ? 3000 : 150;
        int length = sprintf(json, "{\"traceEvents\": [{\"ph\":\"X\",\"name\":\"first\"}");
        for (int i = 0; i < events; i++) {
            length += sprintf(json + length, ",");
            length += put_blank(json + length, style);
            length += put_event(json + length, style, shuffle);
        }
        length += sprintf(json + length, "]}");
        write_whole_file(temp_path("trace"), json, (size_t)length);
        const uint64_t want = hash_of(&(read_limits){.scanner = "scalar", .plain_scan = true});
        for (size_t s = 0; s < ARRAY_LEN(SCANNERS); s++) {
            assert_true(hash_of(&(read_limits){.scanner = SCANNERS[s]}) == want);
            assert_true(hash_of(&(read_limits){.scanner = SCANNERS[s], .gap_values = 64}) == want);
            assert_true(hash_of(&(read_limits){.scanner = SCANNERS[s], .window_bytes = 300}) ==
                        want);
            assert_true(hash_of(&(read_limits){.scanner = SCANNERS[s], .plain_scan = true}) ==
                        want);
            assert_true(hash_read(&(read_limits){.scanner = SCANNERS[s],
                                                 .ahead = AHEAD_ALWAYS,
                                                 .window_bytes = 5000},
                                  true) == want);
        }
        seed = begun;
    }
}

static void events_that_another_thread_read_are_no_part_of_a_gap(void **state)
{
    static const char EVENT[] = ",{\"ph\":\"s\",\"id\":7,\"ts\":5}";
    (void)state;

    int length = sprintf(json, "{\"traceEvents\": [{\"ph\":\"X\",\"name\":\"first\"}");
    for (int i = 0; i < 1500; i++)
        length += sprintf(json + length, "%s", EVENT);
    length += sprintf(json + length, "]}");
    write_whole_file(temp_path("trace"), json, (size_t)length);
    const uint64_t want = hash_of(&(read_limits){.scanner = "scalar", .plain_scan = true});
    // So small that what was read ahead and the gaps around it are shorter than a site may be.
    for (uint32_t window = 60; window < 160; window += 10)
        assert_true(hash_read(&(read_limits){.ahead = AHEAD_ALWAYS, .window_bytes = window},
                              true) == want);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_gap_is_learned_once_and_follows_each_site),
        cmocka_unit_test(what_cannot_be_learned_is_loose),
        cmocka_unit_test(too_many_misses_turn_them_off),
        cmocka_unit_test(values_that_stand_there_always_are_part_of_a_gap),
        cmocka_unit_test(known_values_are_found_and_told_apart),
        cmocka_unit_test(learned_gaps_change_nothing),
        cmocka_unit_test(events_that_another_thread_read_are_no_part_of_a_gap),
    };
    return cmocka_run_group_tests(tests, temp_dir_set_up, temp_dir_tear_down);
}
