// SPDX-License-Identifier: BSD-3-Clause
// A worker for tests of analyses, from scripts of a line an event.
#include "support/made_worker.h"

#include "link/link.h"
#include "support/trace_builder.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WORD_BYTES = 512, WORDS = 9 };

typedef struct line {
    char words[WORDS][WORD_BYTES];
    int count;
} line;

static void fail(const char *why, const char *at)
{
    fprintf(stderr, "made_worker: %s: %s\n", why, at);
    abort();
}

static line split(const char *from, size_t length)
{
    line l = {.count = 0};
    char copy[2 * WORD_BYTES];

    if (length >= sizeof(copy))
        fail("line too long", from);
    memcpy(copy, from, length);
    copy[length] = '\0';
    for (char *rest = copy, *word; (word = strtok_r(rest, " ", &rest)) && l.count < WORDS;)
        snprintf(l.words[l.count++], WORD_BYTES, "%s", word);
    return l;
}

static int64_t number(const char *word)
{
    char *end;
    const int64_t n = strtoll(word, &end, 10);
    if (*end || end == word)
        fail("not a number", word);
    return n;
}

static void blank_name(char *name)
{
    for (char *c = name; *c; c++)
        *c = *c == '_' ? ' ' : *c;
}

static void add_host(trace_builder *b, line *l)
{
    static const char *const CATEGORIES[][2] = {
        {"op",         "cpu_op"         },
        {"annotation", "user_annotation"},
        {"loader",     "user_annotation"},
        {"python",     "python_function"},
    };
    char name[2 * WORD_BYTES];
    const int64_t begin = number(l->words[3]), end = number(l->words[4]);

    snprintf(name, sizeof(name), strcmp(l->words[0], "loader") ? "%s" : "enumerate(DataLoader)#%s",
             l->words[1]);
    for (size_t i = 0; i < ARRAY_LEN(CATEGORIES); i++)
        if (!strcmp(l->words[0], CATEGORIES[i][0])) {
            trace_builder_add(b, (made_event){.category = CATEGORIES[i][1],
                                              .name = name,
                                              .thread = l->words[2],
                                              .begin = begin,
                                              .duration = end - begin});
            return;
        }
    fail("unknown word", l->words[0]);
}

static void add_device(trace_builder *b, line *l, const char *category)
{
    char *stream = strchr(l->words[2], ':');
    if (stream)
        *stream++ = '\0';
    blank_name(l->words[1]);
    const int64_t begin = number(l->words[4]), end = number(l->words[5]);
    made_event e = {
        .category = category,
        .name = l->words[1],
        .process = stream ? l->words[2] : "0",
        .thread = stream ? stream : l->words[2],
        .device = stream ? l->words[2] : "0",
        .stream = stream ? stream : l->words[2],
        .correlation = strcmp(l->words[3], "-") ? l->words[3] : NULL,
        .begin = begin,
        .duration = end - begin,
    };
    if (l->count > 7) {
        e.blocks_per_sm = strtod(l->words[6], NULL);
        e.occupancy_percent = strtod(l->words[7], NULL);
    } else if (l->count > 6) {
        e.bytes = number(l->words[6]);
    }
    trace_builder_add(b, e);
}

static void add_line(trace_builder *b, line l)
{
    const char *word = l.words[0];

    if (!strcmp(word, "step"))
        made_step(b, atoi(l.words[1]), l.words[2], number(l.words[3]), number(l.words[4]));
    else if (!strcmp(word, "call"))
        made_call(b, l.words[1], l.words[2], strcmp(l.words[3], "-") ? l.words[3] : NULL,
                  number(l.words[4]), number(l.words[5]));
    else if (!strcmp(word, "kernel"))
        add_device(b, &l, "kernel");
    else if (!strcmp(word, "copy"))
        add_device(b, &l, "gpu_memcpy");
    else if (!strcmp(word, "set"))
        add_device(b, &l, "gpu_memset");
    else if (!strcmp(word, "window"))
        made_window(b, number(l.words[1]), number(l.words[2]));
    else if (!strcmp(word, "meta"))
        trace_builder_metadata(b, l.words[1], l.words[2]);
    else
        add_host(b, &l);
}

static trace *trace_of(const char *script)
{
    trace_builder *b = trace_builder_create();

    while (*script) {
        const size_t length = strcspn(script, "\n");
        const line l = split(script, length);
        if (l.count)
            add_line(b, l);
        script += length + (script[length] == '\n');
    }
    trace *t = trace_builder_trace(b);
    trace_builder_destroy(b);
    return t;
}

void made_worker_open(made_worker *m, const char *const *scripts, uint32_t count)
{
    static const char *const NAMES[] = {"1", "2", "3", "4"};

    *m = (made_worker){.arena = arena_create()};
    for (uint32_t i = 0; i < count; i++) {
        trace *t = trace_of(scripts[i]);
        trace_link(t, false);
        m->spans[i] = (span){.trace = t, .name = NAMES[i], .steps = steps_of(t, m->arena)};
    }
    m->worker = (worker){
        .run = "run", .worker = "worker", .rank = -1, .spans = m->spans, .span_count = count};
}

void made_worker_close(made_worker *m)
{
    for (uint32_t i = 0; i < m->worker.span_count; i++)
        trace_destroy((trace *)m->spans[i].trace);
    arena_destroy(m->arena);
}
