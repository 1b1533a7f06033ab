// SPDX-License-Identifier: BSD-3-Clause
#include "support/cmocka_all.h"

#include "base/arena.h"
#include "read/read_chrome.h"
#include "support/temp_dir.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// What a visitor saw, a line a record, "key=value" for metadata; and the notes.
typedef struct trail {
    char events[16384], metadata[4096], notes[2048];
    int event_count;
    error err;
} trail;

static void add(char *to, size_t size, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static void add(char *to, size_t size, const char *format, ...)
{
    const size_t used = strlen(to);
    va_list args;
    va_start(args, format);
    vsnprintf(to + used, size - used, format, args);
    va_end(args);
}

static void add_text(char *to, size_t size, const char *name, uint32_t set, text t)
{
    if (set)
        add(to, size, " %s=%.*s", name, (int)t.length, t.at);
}

static void add_whole(char *to, size_t size, const char *name, uint32_t set, int64_t value)
{
    if (set)
        add(to, size, " %s=%" PRId64, name, value);
}

static void on_event(void *self, const record *r)
{
    trail *t = self;
    char *to = t->events;
    const size_t size = sizeof(t->events);

    t->event_count++;
    add(to, size, "%s%c", *to ? "\n" : "", r->phase ? r->phase : '-');
    add_text(to, size, "name", r->fields & FIELD_NAME, r->name);
    add_text(to, size, "cat", r->fields & FIELD_CATEGORY, r->category);
    add_text(to, size, "pid", r->fields & FIELD_PROCESS, r->process);
    add_text(to, size, "tid", r->fields & FIELD_THREAD, r->thread);
    add_whole(to, size, "ts", r->fields & FIELD_TIME, r->time_ns);
    add_whole(to, size, "dur", r->fields & FIELD_DURATION, r->duration_ns);
    add_text(to, size, "id", r->fields & FIELD_FLOW_ID, r->flow_id);
    add_text(to, size, "corr", r->fields & FIELD_CORRELATION, r->correlation);
    add_text(to, size, "ext", r->fields & FIELD_EXTERNAL, r->external);
    add_text(to, size, "dev", r->fields & FIELD_DEVICE, r->device);
    add_text(to, size, "stream", r->fields & FIELD_STREAM, r->stream);
    add_text(to, size, "shapes", r->fields & FIELD_SHAPES, r->shapes);
    add_text(to, size, "types", r->fields & FIELD_TYPES, r->types);
    add_text(to, size, "stack", r->fields & FIELD_STACK, r->stack);
    add_text(to, size, "arg", r->fields & FIELD_ARG_NAME, r->arg_name);
    add_whole(to, size, "seq", r->fields & FIELD_SEQUENCE, r->sequence);
    add_whole(to, size, "fwd", r->fields & FIELD_FWD_THREAD, r->fwd_thread);
    add_whole(to, size, "mod", r->fields & FIELD_MODULE_ID, r->module_id);
    add_whole(to, size, "regs", r->fields & FIELD_REGISTERS, r->registers);
    add_whole(to, size, "smem", r->fields & FIELD_SHARED, r->shared_bytes);
    add_whole(to, size, "bytes", r->fields & FIELD_BYTES, r->bytes);
    if (r->fields & FIELD_GRID)
        add(to, size, " grid=%d/%d/%d", r->grid[0], r->grid[1], r->grid[2]);
    if (r->fields & FIELD_BLOCK)
        add(to, size, " block=%d/%d/%d", r->block[0], r->block[1], r->block[2]);
    if (r->fields & FIELD_BLOCKS_SM)
        add(to, size, " bsm=%g", r->blocks_per_sm);
    if (r->fields & FIELD_OCCUPANCY)
        add(to, size, " occ=%g", r->occupancy_percent);
}

static void on_metadata(void *self, text key, text raw)
{
    trail *t = self;
    add(t->metadata, sizeof(t->metadata), "%s%.*s=%.*s", *t->metadata ? " " : "", (int)key.length,
        key.at, (int)raw.length, raw.at);
}

static void on_note(void *self, const char *code, note_severity severity, uint64_t offset,
                    const char *what)
{
    trail *t = self;
    (void)severity;
    assert_non_null(what);
    add(t->notes, sizeof(t->notes), "%s%s@%u", *t->notes ? " " : "", code, (unsigned)offset);
}

static void read_bytes(text json, const read_limits *limits, bool background, trail *t)
{
    const record_visitor visitor = {t, on_event, on_metadata, on_note};
    error err = {0};
    input *in;

    memset(t, 0, sizeof(*t));
    write_whole_file(temp_path("trace"), json.at, json.length);
    assert_int_equal(input_open(temp_path("trace"), limits, background, &in, &err), ERR_NONE);
    read_chrome(in, limits, &visitor, &t->err);
    input_close(in);
}

typedef struct event_case {
    const char *json, *record, *notes;
} event_case;

// One element of traceEvents each; empty record: none is handed on. Offsets count from the element.
// clang-format off
static const event_case EVENTS[] = {
    // 2021: capital categories, ids and thread as text.
    {"{\"ph\": \"X\", \"cat\": \"Operator\", \"name\": \"aten::empty\", \"pid\": 5555, \"tid\": \"5555\","
     " \"ts\": 1623212388426902, \"dur\": 35, \"args\": {\"Device\": 5555, \"External id\": 2,"
     " \"Input Dims\": [[], [8, 3]], \"Call stack\": \"a.py(1): f;\", \"Input type\": [\"\", \"float\"]}}",
     "X name=aten::empty cat=Operator pid=5555 tid=5555 ts=1623212388426902000 dur=35000 ext=2"
     " shapes=[[],[8,3]] types=[\"\",\"float\"] stack=a.py(1): f;",
     ""},
    {"{\"ph\": \"X\", \"cat\": \"Runtime\", \"name\": \"cudaLaunchKernel\", \"pid\": 1, \"tid\": \"2\","
     " \"ts\": 5, \"dur\": 0, \"args\": {\"external id\": 7, \"external ts\": 4, \"correlation\": 9}}",
     "X name=cudaLaunchKernel cat=Runtime pid=1 tid=2 ts=5000 dur=0 corr=9 ext=7", ""},
    // Today's kernel, with the nested object of 2026 that repeats a known key.
    {"{\"ph\":\"X\",\"cat\":\"kernel\",\"name\":\"gemm\",\"pid\":0,\"tid\":7,\"ts\":1060.001,"
     "\"dur\":10.5,\"args\":{\"External id\":10,\"device\":0,\"stream\":7,\"correlation\":4294967297,"
     "\"registers per thread\":32,\"shared memory\":1024,\"blocks per SM\":0.800000,"
     "\"occupancy\":{\"stream\":99,\"x\":[1,{\"device\":5}]},\"grid\":[100,2,1],\"block\":[256,1,1],"
     "\"est. achieved occupancy %\":12,\"graph node id\":5}}",
     "X name=gemm cat=kernel pid=0 tid=7 ts=1060001 dur=10500 corr=4294967297 ext=10 dev=0 stream=7"
     " regs=32 smem=1024 grid=100/2/1 block=256/1/1 bsm=0.8 occ=12",
     ""},
    // ROCm: sizes as text; "N/A" where a number should be.
    {"{\"ph\": \"X\", \"cat\": \"gpu_memcpy\", \"name\": \"Memcpy HtoD (Host -> Device)\", \"pid\": 2,"
     " \"tid\": 0, \"ts\": 1, \"dur\": 2, \"args\": {\"kind\": \"HtoD\", \"bytes\": \"4096\","
     " \"memory bandwidth (GB/s)\": \"N/A\", \"stream\": \"0x0\"}}",
     "X name=Memcpy HtoD (Host -> Device) cat=gpu_memcpy pid=2 tid=0 ts=1000 dur=2000 stream=0x0"
     " bytes=4096",
     ""},
    // Escapes where nobody writes them, and NULs, which tell names apart.
    {"{\"ph\":\"\\u0058\",\"name\":\"a\\u0000b\",\"cat\":\"c\\u0000\"}", "X name=a\xe2\x90\x80"
     "b cat=c\xe2\x90\x80", "nul_character@24 nul_character@41"},
    {"{\"ph\":\"X\",\"name\":\"m\",\"ts\":1,\"args\":{\"bytes\":\"N/A\",\"blocks per SM\":\"inf\"}}",
     "X name=m ts=1000", ""},
    // Python frames, memory instants, metadata, flows.
    {"{\"ph\":\"X\",\"cat\":\"python_function\",\"name\":\"f\",\"ts\":1,\"dur\":1,\"args\":"
     "{\"Python id\":3,\"Python parent id\":null,\"Python module id\":4}}",
     "X name=f cat=python_function ts=1000 dur=1000 mod=4", ""},
    {"{\"ph\":\"X\",\"name\":\"f\",\"ts\":1,\"args\":{\"Python parent id\":2,\"Sequence number\":11,"
     "\"Fwd thread id\":1}}",
     "X name=f ts=1000 seq=11 fwd=1", ""},
    {"{\"ph\":\"i\",\"cat\":\"cpu_instant_event\",\"s\":\"t\",\"name\":\"[memory]\",\"pid\":1,\"tid\":1,"
     "\"ts\":2,\"args\":{\"Device Type\":0,\"Addr\":94,\"Bytes\":-512}}",
     "i name=[memory] cat=cpu_instant_event pid=1 tid=1 ts=2000 bytes=-512", ""},
    {"{\"name\":\"process_labels\",\"ph\":\"M\",\"ts\":0.000,\"pid\":0,\"tid\":0,"
     "\"args\":{\"labels\":\"GPU 0\"}}",
     "M name=process_labels pid=0 tid=0 ts=0 arg=GPU 0", ""},
    {"{\"ph\":\"f\",\"id\":101,\"pid\":-1,\"tid\":\"stream 7\",\"ts\":3,\"cat\":\"ac2g\","
     "\"name\":\"ac2g\",\"bp\":\"e\"}",
     "f name=ac2g cat=ac2g pid=-1 tid=stream 7 ts=3000 id=101", ""},
    // Forms of times.
    {"{\"ph\":\"X\",\"name\":\"t\",\"ts\":\"1750000000001000.001\",\"dur\":\"1e3\"}",
     "X name=t ts=1750000000001000001 dur=1000000", ""},
    {"{\"ph\":\"X\",\"name\":\"t\",\"ts\":1,\"dur\":-0.512}", "X name=t ts=1000 dur=-512", ""},
    {"{\"ph\":\"X\",\"name\":\"t\",\"ts\":1,\"dur\":null}", "X name=t ts=1000", ""},
    {"{\"ph\":\"X\",\"name\":\"t\",\"ts\":NaN,\"dur\":1}", "X name=t dur=1000", "bare_word@26"},
    {"{\"ph\":\"X\",\"name\":\"t\",\"ts\":\"soon\"}", "X name=t", "unreadable_time@27"},
    {"{\"ph\":\"X\",\"name\":\"t\",\"ts\":1e40}", "X name=t ts=9223372036854775807",
     "time_out_of_range@26"},
    // Duplicates: the last one counts, even where it is of no use.
    {"{\"ph\":\"X\",\"name\":\"t\",\"dur\":99,\"dur\":30}", "X name=t dur=30000", "duplicate_key@36"},
    {"{\"ph\":\"X\",\"name\":\"t\",\"dur\":99,\"dur\":null}", "X name=t", "duplicate_key@36"},
    // Values of a kind that is of no use are left out.
    {"{\"ph\":1,\"name\":[\"x\"],\"pid\":{\"a\":1},\"tid\":true,\"ts\":5,\"args\":7}", "- ts=5000", ""},
    {"{\"ph\":\"X\",\"name\":\"t\",\"args\":[{\"stream\":1}]}", "X name=t", ""},
    {"{\"ph\":\"X\",\"name\":\"t\",\"args\":{\"grid\":[1,2],\"block\":\"(1,1,1)\",\"Input Dims\":\"[]\"}}",
     "X name=t", ""},
    {"{\"ph\":\"X\",\"name\":12,\"tid\":0.5}", "X name=12 tid=0.5", ""},
    {"{\"ph\":\"X\",\"n\\u0061me\":\"a\\/b\"}", "X name=a/b", ""},
    // Decoys: known keys deeper than they should be, or inside texts.
    {"{\"ph\":\"X\",\"name\":\"see \\\"ts\\\": 5, {\",\"x\":{\"ts\":9,\"args\":{\"stream\":1}}}",
     "X name=see \"ts\": 5, {", ""},
    // Elements that are no events.
    {"{}", "", "skipped_element@0"},
    {"null", "", "skipped_element@0"},
    {"[1,{\"ph\":\"X\",\"name\":\"inner\"}]", "", "skipped_element@0"},
    {"5", "", "skipped_element@0"},
    {"{\"ph\":\"X\"}", "", "skipped_element@0"},
    // Sloppy texts.
    {"{\"ph\":\"X\",\"name\":\"<listcomp \"a\", \"b\">\",\"ts\":1}",
     "X name=<listcomp \"a\", \"b\"> ts=1000", "unescaped_quote@28"},
    {"{\"ph\":\"X\",\"name\":\"a\", b\",\"ts\":1}", "X name=a\", b ts=1000", "unescaped_quote@19"},
    {"{\"ph\":\"X\",\"name\":\"C:\\Users\\new\",\"ts\":1,}", "X name=C:\\Users\\new ts=1000",
     "invalid_escape@20 trailing_comma@39"},
    {"{\"ph\":\"X\",\"args\":{\"memory bandwidth (GB/s)\":N/A,\"bytes\":1,}}", "X bytes=1",
     "bare_word@44 trailing_comma@58"},
    // One that cannot be understood; the others stay.
    {"{\"ph\":\"X\",\"name\":\"lost\",5}", "", "broken_element@24"},
    {"{\"ph\":\"X\",\"name\":\"no end,\"ts\":5}", "", "broken_element@17"},
    {"{\"ph\":\"X\",\"args\":{\"a\":[1}}}", "", "broken_element@24"},
};
// clang-format on

static const char FRONT[] = "{\"schemaVersion\": 1, \"traceEvents\": [\n"
                            "{\"ph\":\"X\",\"name\":\"first\",\"ts\":1},";
static const char BACK[] = ",{\"ph\":\"X\",\"name\":\"last\",\"ts\":2}], \"traceName\": \"t\"}";
static const char FIRST[] = "X name=first ts=1000", LAST[] = "X name=last ts=2000";

// Notes with the offsets counted from `base`.
static const char *notes_from(const trail *t, size_t base)
{
    static char out[2048];
    const char *at = t->notes;
    *out = '\0';
    while (*at) {
        const char *mark = strchr(at, '@');
        char *next;
        const unsigned long offset = strtoul(mark + 1, &next, 10);
        add(out, sizeof(out), "%s%.*s@%ld", *out ? " " : "", (int)(mark - at), at,
            (long)(offset - base));
        at = *next ? next + 1 : next;
    }
    return out;
}

static void expect_element(const event_case *c, const read_limits *limits)
{
    char json[4096], want[4096];
    trail t;

    snprintf(json, sizeof(json), "%s%s%s", FRONT, c->json, BACK);
    snprintf(want, sizeof(want), "%s\n%s%s%s", FIRST, c->record, *c->record ? "\n" : "", LAST);
    read_bytes(text_of(json), limits, false, &t);
    if (t.err.code)
        fail_msg("%s: %s", c->json, t.err.message);
    if (strcmp(t.events, want) != 0)
        fail_msg("%s: %s", c->json, t.events);
    if (strcmp(notes_from(&t, sizeof(FRONT) - 1), c->notes) != 0)
        fail_msg("%s: %s", c->json, notes_from(&t, sizeof(FRONT) - 1));
    assert_string_equal(t.metadata, "schemaVersion=1 traceName=\"t\"");
}

static void each_dialect_gives_its_record(void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(EVENTS); i++)
        expect_element(&EVENTS[i], NULL);
}

static void every_scanner_and_window_gives_the_same(void **state)
{
    static const char *const SCANNERS[] = {"scalar", "sse2", "avx2", "neon"};
    static const uint32_t WINDOWS[] = {1, 3, 16, 31};
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(EVENTS); i++)
        for (size_t s = 0; s < ARRAY_LEN(SCANNERS); s++)
            for (size_t w = 0; w < ARRAY_LEN(WINDOWS); w++)
                expect_element(&EVENTS[i],
                               &(read_limits){.scanner = SCANNERS[s], .window_bytes = WINDOWS[w]});
}

typedef struct file_case {
    const char *json, *events, *metadata, *notes;
} file_case;

#define E1 "{\"ph\":\"X\",\"name\":\"a\"}"
#define E2 "{\"ph\":\"X\",\"name\":\"b\"}"
#define AB "X name=a\nX name=b"

// clang-format off
static const file_case FILES[] = {
    // Keys before and after, in any order; a key that is spelled with an escape.
    {"{\"a\": [1, {\"b\": null}], \"traceEvents\": [" E1 "," E2 "], \"z\": \"\\u00e9\"}", AB,
     "a=[1,{\"b\":null}] z=\"\xc3\xa9\"", ""},
    {"{\"trace\\u0045vents\": [" E1 "," E2 "]}", AB, "", ""},
    {"{\"note\": {\"traceEvents\": [{\"ph\":\"X\",\"name\":\"decoy\"}]}, \"s\": \"\\\"traceEvents\\\": [{\","
     " \"traceEvents\": [" E1 "," E2 "]}",
     AB, "note={\"traceEvents\":[{\"ph\":\"X\",\"name\":\"decoy\"}]} s=\"\\\"traceEvents\\\": [{\"", ""},
    // Roots.
    {"[" E1 "," E2 "]", AB, "", "array_root@0"},
    {"[" E1 "," E2, AB, "", "array_root@0 truncated@44"},
    {"\xef\xbb\xbf {\"traceEvents\": [" E1 ",\r\n" E2 "]}\r\n", AB, "", "byte_order_mark@0"},
    {"{\"traceEvents\": [" E1 "]}\n{\"traceEvents\": [" E2 "]}", AB, "", "concatenated_documents@41"},
    {"{\"traceEvents\": [" E1 "," E2 "]} and more", AB, "", "trailing_garbage@63"},
    {"{\"traceEvents\": [" E1 "," E2 "], \"rank\": , \"x\": N/A}", AB, "rank=null x=null",
     "missing_value@71 bare_word@78"},
    // Commas.
    {"{\"traceEvents\": [" E1 "," E2 ",],}", AB, "", "trailing_comma@61 trailing_comma@63"},
    {"{\"traceEvents\": [" E1 " " E2 "]}", AB, "", "missing_comma@39"},
    // The broken form of values that kineto wrote.
    {"{\"s\": \"say /\"hi/\" to\", \"traceEvents\": [" E1 "," E2 "]}", AB,
     "s=\"say /\\\"hi/\\\" to\"", "unescaped_quote@12"},
    {"{\"cfg\": \"{\"lr\": 0.1}\", \"traceEvents\": [" E1 "," E2 "]}", AB, "cfg=\"{\\\"lr\\\": 0.1}\"",
     "unescaped_quote@10"},
    // Errors in metadata: events are found all the same.
    {"{\"a\": {x}, \"traceEvents\": [" E1 "," E2 "], \"z\": 1}", AB, "z=1", "broken_element@7"},
    {"{\"traceEvents\": [" E1 "," E2 "], \"a\": {x}, \"z\": 1}", AB, "", "broken_element@69"},
    {"{\"traceEvents\": {}, \"traceEvents\": [" E1 "," E2 "]}", AB, "", "broken_element@17"},
    {"{\"traceEvents\": [" E1 "], \"traceEvents\": [" E2 "]}", AB, "", "duplicate_key@39"},
    // The last event is broken: what follows the array is still read.
    {"{\"traceEvents\": [" E1 "," E2 ",{\"ph\" \"X\"}], \"traceName\": 1}", AB, "traceName=1",
     "broken_element@67"},
    {"{\"traceEvents\": [" E1 "," E2 ",{\"ph\" \"X\"}]}", AB, "", "broken_element@67"},
    // Text ends.
    {"{\"traceEvents\": [" E1 "," E2, AB, "", "truncated@60"},
    {"{\"traceEvents\": [" E1 "," E2 ",", AB, "", "truncated@61"},
    {"{\"traceEvents\": [" E1 "," E2 ",{\"ph\":\"X\",\"name\":\"c", AB, "", "truncated@80"},
    {"{\"traceEvents\": [" E1 "," E2 "]", AB, "", "truncated@61"},
    {"{\"traceEvents\": [" E1 "," E2 "], \"a\": 1", AB, "", "truncated@69"},
    {"{\"traceEvents\": [" E1 "," E2 "], \"a\": \"b", AB, "", "truncated@70"},
};
// clang-format on

static void expect_file(const file_case *c, const read_limits *limits)
{
    trail t;
    read_bytes(text_of(c->json), limits, false, &t);
    if (t.err.code || strcmp(t.events, c->events) != 0 || strcmp(t.metadata, c->metadata) != 0 ||
        strcmp(t.notes, c->notes) != 0)
        fail_msg("%s: [%s] %s | %s | %s", c->json, t.err.message, t.events, t.metadata, t.notes);
}

static void files_of_every_form_are_read(void **state)
{
    static const uint32_t WINDOWS[] = {0, 1, 2, 7, 40};
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(FILES); i++)
        for (size_t w = 0; w < ARRAY_LEN(WINDOWS); w++)
            expect_file(&FILES[i], &(read_limits){.window_bytes = WINDOWS[w]});
}

static void zero_bytes_at_the_end_are_noted(void **state)
{
    static const char JSON[] = "{\"traceEvents\": [" E1 "," E2 "]}\n\0\0\0\0";
    trail t;
    (void)state;
    read_bytes((text){JSON, sizeof(JSON) - 1}, NULL, false, &t);
    assert_string_equal(t.events, AB);
    assert_string_equal(t.notes, "trailing_zeros@63");
}

static void what_gives_no_events_is_named(void **state)
{
    static const char ZEROS[100];
    static const struct {
        text bytes;
        err_code code;
        const char *message;
    } cases[] = {
        {TEXT_INIT(""),                                                   ERR_EMPTY,     "empty file (0 bytes); expected a trace in JSON"     },
        {TEXT_INIT(" \n\t "),                                             ERR_EMPTY,
         "empty file: nothing but blanks; expected a trace in JSON"                                                                           },
        {{ZEROS, sizeof(ZEROS)},                                          ERR_EMPTY,     "empty file: nothing but NUL bytes"                  },
        {TEXT_INIT("<!DOCTYPE html><html>"),                              ERR_JSON,      "not JSON but an HTML or XML page"                   },
        {TEXT_INIT("\xff\xfe{\0"),                                        ERR_JSON,      "not JSON but UTF-16 text"                           },
        {TEXT_INIT("\x28\xb5\x2f\xfd...."),                               ERR_JSON,      "not JSON but zstd data"                             },
        {TEXT_INIT("hello"),                                              ERR_JSON,      "not JSON: expected '{' or '[', found 'h'"           },
        {TEXT_INIT("\x01"),                                               ERR_JSON,      "not JSON: expected '{' or '[', found byte 0x01"     },
        {TEXT_INIT("\"text\""),                                           ERR_JSON,      "not JSON: expected '{' or '[', found '\"'"          },
        {TEXT_INIT("{}"),                                                 ERR_NOT_TRACE, "not a trace: an empty JSON object"                  },
        {TEXT_INIT("[]"),                                                 ERR_NOT_TRACE, "no events: an empty JSON array"                     },
        {TEXT_INIT("[1, 2]"),                                             ERR_NOT_TRACE, "not a trace: an array of things that are not events"},
        {TEXT_INIT("{\"nodes\": [1], \"x\": 2}"),                         ERR_NOT_TRACE,
         "not a trace: JSON without \"traceEvents\" (its first key is \"nodes\")"                                                             },
        {TEXT_INIT("{\"traceEvents\": 5}"),                               ERR_NOT_TRACE, "not a trace: JSON without"                          },
        {TEXT_INIT("{\"traceEvents\": {\"a\": 1}}"),                      ERR_JSON,
         "not a JSON trace: \"traceEvents\" is an object, expected an array; no"                                                              },
        {TEXT_INIT("{\"traceEvents\": []}"),                              ERR_NOT_TRACE, "no events: \"traceEvents\" is empty"                },
        {TEXT_INIT("{\"traceEvents\": [{\"ph\":\"M\",\"name\":\"x\"}]}"), ERR_NOT_TRACE,
         "no events: \"traceEvents\" holds metadata only"                                                                                     },
        {TEXT_INIT("{\"traceEvents\": [{\"a\": 1}, 2]}"),                 ERR_NOT_TRACE,
         "not a trace: an array of things that are not events"                                                                                },
        {TEXT_INIT("{\"schemaVersion\": 1, \"devic"),                     ERR_NOT_TRACE,
         "cut off before \"traceEvents\""                                                                                                     },
        {TEXT_INIT("{\"traceEvents\": [{\"ph\":"),                        ERR_NOT_TRACE,
         "no events: cut off before the first"                                                                                                },
        {TEXT_INIT("{nonsense}"),                                         ERR_JSON,      "not a JSON trace: expected a key in quotes"         },
        {TEXT_INIT("\x1f\x8b\x08\x00"),                                   ERR_GZIP,      "the gzip data ends inside a header"                 },
    };
    (void)state;

    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        trail t;
        read_bytes(cases[i].bytes, NULL, i % 2, &t);
        if (t.err.code != cases[i].code ||
            strncmp(t.err.message, cases[i].message, strlen(cases[i].message)) != 0)
            fail_msg("case %zu: code %d, %s", i, (int)t.err.code, t.err.message);
        assert_string_equal(t.err.path, temp_path("trace"));
    }
}

// A trace larger than a window, with a first value that shifts the window's end through an event.
static void windows_end_anywhere(void **state)
{
    static char json[3 * 1024 * 1024];
    static const char EVENT[] = "{\"ph\": \"X\", \"cat\": \"cpu_op\", \"name\": \"aten::mm\", "
                                "\"ts\": 1.5, \"args\": {\"grid\": [1, 2, 3]}},\n";
    (void)state;

    for (int shift = 0; shift < (int)sizeof(EVENT); shift++) {
        int length = sprintf(json, "{\"pad\": \"%*s\", \"traceEvents\": [", shift, "");
        int count = 0;
        for (; length < 1100000; count++)
            length += sprintf(json + length, "%s", EVENT);
        length += sprintf(json + length, "]}");
        trail t;
        read_bytes((text){json, (size_t)length}, NULL, shift % 2, &t);
        assert_int_equal(t.err.code, ERR_NONE);
        assert_int_equal(t.event_count, count);
        assert_true(strncmp(t.notes, "trailing_comma@", 15) == 0 && !strchr(t.notes, ' '));
    }
}

// Both halves into one trail. False: the cut was none.
static bool read_halves(uint64_t cut, bool array_root, trail *t)
{
    const record_visitor visitor = {t, on_event, on_metadata, on_note};
    const input_part parts[] = {
        {0,   cut       },
        {cut, UINT64_MAX}
    };
    chrome_part first = {0}, second = {.inside = true, .array_root = array_root};
    error err = {0};
    input *in;

    memset(t, 0, sizeof(*t));
    assert_int_equal(input_open_part(temp_path("trace"), &parts[0], NULL, &in, &err), ERR_NONE);
    read_chrome_part(in, &first, NULL, &visitor, &t->err);
    input_close(in);
    if (!first.joined)
        return false;
    assert_int_equal(t->err.code, ERR_NONE);
    assert_int_equal(input_open_part(temp_path("trace"), &parts[1], NULL, &in, &err), ERR_NONE);
    assert_int_equal(read_chrome_part(in, &second, NULL, &visitor, &t->err), ERR_NONE);
    assert_false(second.joined);
    input_close(in);
    return true;
}

static void halves_give_what_the_whole_gives(void **state)
{
    static const char *const FORMS[] = {
        "{\"a\": [{\"ph\":1},{\"ph\":2}], \"traceEvents\": [" E1 ",\n " E2 "," E1
        ",{\"ph\":\"X\",\"ts\":1,"
        "\"args\":{\"x\":[{\"ph\":1} , {\"ph\":2}],\"stream\":7}}," E2
        "], \"z\": \"},{\\\"ph\\\":\"}",
        "[" E1 "," E2 " ,\n" E1 "," E2 "]",
        "{\"traceEvents\": [" E1 "," E2 "," E1,
    };
    int joined = 0, refused = 0;
    (void)state;

    for (size_t i = 0; i < ARRAY_LEN(FORMS); i++) {
        trail whole, halves;
        read_bytes(text_of(FORMS[i]), NULL, false, &whole);
        for (size_t near = 0; near < strlen(FORMS[i]); near++) {
            uint64_t cut;
            bool array_root;
            if (!chrome_find_cut(temp_path("trace"), near, &cut, &array_root))
                continue;
            assert_true(cut > near && FORMS[i][cut] == '{');
            assert_int_equal(array_root, *FORMS[i] == '[');
            if (!read_halves(cut, array_root, &halves)) {
                refused++;
                continue;
            }
            joined++;
            assert_string_equal(halves.events, whole.events);
            assert_string_equal(halves.metadata, whole.metadata);
            assert_string_equal(halves.notes, whole.notes);
        }
    }
    assert_true(joined > 50 && refused > 20);
}

static void limits_hold(void **state)
{
    static char json[300000];
    const read_limits limits = {.string_bytes = 10, .element_bytes = 100000, .depth = 8};
    trail t;
    (void)state;

    int length = sprintf(json, "%s{\"ph\":\"X\",\"name\":\"0123456789abc\"},", FRONT);
    length +=
        sprintf(json + length, "{\"ph\":\"X\",\"name\":\"d\",\"args\":{\"x\":[[[[[[[[1]]]]]]]]}},");
    length += sprintf(json + length, "{\"ph\":\"X\",\"name\":\"%0250000d\"}%s", 0, BACK);
    read_bytes((text){json, (size_t)length},
               &(read_limits){.string_bytes = 10,
                              .element_bytes = limits.element_bytes,
                              .depth = limits.depth,
                              .window_bytes = 5000},
               false, &t);
    assert_string_equal(t.events, "X name=first ts=1000\nX name=0123456789\nX name=last ts=2000");
    assert_non_null(strstr(t.notes, "long_string@"));
    assert_non_null(strstr(t.notes, "broken_element@"));
    assert_non_null(strstr(t.notes, "long_element@"));
    assert_string_equal(t.metadata, "schemaVersion=1 traceName=\"t\"");
}

// Each element looks as if it began a text that goes to the end; the work must stay linear.
static void broken_input_costs_linear_time(void **state)
{
    static char json[4 * 1024 * 1024];
    int length = sprintf(json, "[");
    trail t;
    (void)state;

    while (length < (int)sizeof(json) - 100)
        length += sprintf(json + length, "{\"a\":\"},{");
    read_bytes((text){json, (size_t)length}, NULL, false, &t);
    assert_int_not_equal(t.err.code, ERR_NONE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_dialect_gives_its_record),
        cmocka_unit_test(every_scanner_and_window_gives_the_same),
        cmocka_unit_test(files_of_every_form_are_read),
        cmocka_unit_test(zero_bytes_at_the_end_are_noted),
        cmocka_unit_test(what_gives_no_events_is_named),
        cmocka_unit_test(windows_end_anywhere),
        cmocka_unit_test(halves_give_what_the_whole_gives),
        cmocka_unit_test(limits_hold),
        cmocka_unit_test(broken_input_costs_linear_time),
    };
    return cmocka_run_group_tests(tests, temp_dir_set_up, temp_dir_tear_down);
}
