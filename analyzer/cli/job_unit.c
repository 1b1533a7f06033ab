// SPDX-License-Identifier: BSD-3-Clause
// One worker: its spans analysed, its parts of the report rendered.
#include "cli/job.h"

#include "cli/commands.h"
#include "diagnose/diagnose.h"
#include "link/step_trace.h"
#include "report/table_sort.h"
#include "views/view.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { LARGE_PART = 1 << 20 };

// What only lives while a worker is reported.
typedef struct unit_work {
    job *job;
    job_unit *unit;
    arena *arena;
    span *spans; // those that could be read, with the steps that were asked for
    span *parts; // the same with the events of these steps only; NULL: all steps
    const char **paths;
    uint32_t span_count;
    int64_t rank;
} unit_work;

static bool step_asked_for(const range_list *ranges, const step *s)
{
    char *end;
    const int64_t number = strtoll(s->name, &end, 10);
    return *s->name && !*end && ranges_hold(ranges, number);
}

static step_list steps_asked_for(const range_list *ranges, step_list all)
{
    uint32_t kept = 0;

    for (uint32_t i = 0; i < all.count; i++)
        if (step_asked_for(ranges, &all.at[i]))
            all.at[kept++] = all.at[i];
    all.count = kept;
    return all;
}

static void take_span(unit_work *w, const job_input *in)
{
    const range_list *ranges = &w->job->options->steps;
    step_list steps = steps_of(in->trace, w->arena);

    if (ranges->at) {
        steps = steps_asked_for(ranges, steps);
        if (steps.count == 0)
            return;
        w->parts[w->span_count] =
            (span){step_trace(in->trace, &steps, w->arena), in->file.span, steps};
    }
    w->paths[w->span_count] = in->file.path;
    w->spans[w->span_count++] = (span){in->trace, in->file.span, steps};
}

static void take_spans(unit_work *w)
{
    const job_unit *u = w->unit;

    w->spans = arena_new(w->arena, span, u->count);
    w->parts = arena_new(w->arena, span, u->count);
    w->paths = arena_new(w->arena, const char *, u->count);
    w->rank = -1;
    for (uint32_t i = u->first; i < u->first + u->count; i++) {
        job_input *in = &w->job->inputs[i];
        job_describe(in, u->arena);
        if (w->rank < 0)
            w->rank = in->seen.rank;
        if (in->trace)
            take_span(w, in);
    }
}

static table_choice choice_of(const options *o)
{
    return (table_choice){
        .filter = o->filter_regex,
        .sort = o->sort,
        .columns = o->columns.at,
        .column_count = o->columns.count,
        .limited = o->top != NUMBER_NONE,
        .top = (uint32_t)o->top,
    };
}

// The views that are shown, their tables as the user chose them.
static void add_sections(const unit_work *w, const view_input *in, report_scope *s)
{
    const table_choice choice = choice_of(w->job->options);
    report_section *sections = NULL;
    uint32_t capacity = 0;

    for (uint32_t v = 0; VIEWS[v]; v++) {
        if (!command_shows(w->job->options, VIEWS[v]))
            continue;
        arena_reserve_one(w->arena, sections, s->section_count, capacity);
        report_section *made = &sections[s->section_count++];
        *made = view_section(VIEWS[v], in, w->arena);
        uint32_t kept = 0;
        for (uint32_t i = 0; i < made->table_count; i++) {
            const table chosen = table_select(&made->tables[i], &choice, w->arena);
            w->unit->matched += table_column(&made->tables[i], "name") ? chosen.total_rows : 0;
            if (chosen.column_count)
                made->tables[kept++] = chosen;
        }
        made->table_count = kept;
    }
    s->sections = sections;
}

static void render_part(const unit_work *w, uint32_t format, const report_scope *s)
{
    const job *j = w->job;
    job_unit *u = w->unit;
    part_list *parts = &u->parts[format];
    tp_sink *memory;
    size_t length;

    if (tp_sink_memory_open(0, &memory) != TPROF_OK)
        return;
    j->formats[format]->scope(memory, s, &j->style);
    const char *bytes = tp_sink_memory_data(memory, &length);
    arena_reserve_one(u->arena, parts->at, parts->count, parts->capacity);
    // Small parts would leave the heap in pieces, large ones are not worth a copy.
    if (length < LARGE_PART) {
        bytes = arena_copy(u->arena, bytes, length);
        tp_sink_abandon(memory);
    } else {
        arena_reserve_one(u->arena, parts->sinks, parts->sink_count, parts->sink_capacity);
        parts->sinks[parts->sink_count++] = memory;
    }
    parts->at[parts->count++] = (report_part){s->kind, bytes, length};
}

// People see a worker, or its spans with --by span; machines all of it. `at` counts spans.
static bool format_wants(const unit_work *w, uint32_t format, scope_kind kind, uint32_t at)
{
    const job *j = w->job;

    if (j->formats[format]->all_scopes)
        return true;
    const uint32_t block = job_by_span(j) ? w->unit->first + at : (uint32_t)(w->unit - j->units);
    return (w->span_count == 1 || job_by_span(j)) == (kind == SCOPE_LOG) &&
           block < job_blocks_shown(j);
}

static bool scope_wanted(const unit_work *w, scope_kind kind, uint32_t at)
{
    for (uint32_t f = 0; f < w->job->format_count; f++)
        if (format_wants(w, f, kind, at))
            return true;
    return false;
}

static worker worker_of(const unit_work *w, const span *spans, uint32_t count)
{
    const run_file *file = &w->job->inputs[w->unit->first].file;
    return (worker){file->run, file->worker, w->rank, spans, count};
}

// Where steps were asked for, tables of events are of these alone; what is told of each step needs
// what is around it.
static analysis analyse(const unit_work *w, const worker *subject, uint32_t first)
{
    analysis all = analysis_run(subject, w->job->spare_thread, w->arena);
    if (!w->job->options->steps.at)
        return all;

    const worker part = worker_of(w, w->parts + first, subject->span_count);
    const analysis tables = analysis_run(&part, w->job->spare_thread, w->arena);
    analysis_narrow(&all, &tables);
    return all;
}

static worker_row row_of(job_unit *u, const worker *w, const analysis *all, const diagnosis *d)
{
    const step_statistics *steps = &all->overview.statistics;

    return (worker_row){
        .run = w->run,
        .worker = w->worker,
        .span = w->span_count == 1 ? w->spans[0].name : "",
        .rank = w->rank < 0 ? INT_NONE : w->rank,
        .spans = w->span_count,
        .steps = steps->count,
        .mean_ns = steps->mean_ns,
        .p95_ns = steps->p95_ns,
        .verdict = arena_printf(u->arena, "%s", d->verdict.verdict_class),
        .share = d->verdict.share,
        .gain_ns = d->verdict.gain_ns,
    };
}

static const char *base_time(const trace *t, arena *a)
{
    return t->base_known ? arena_printf(a, "%" PRId64, t->base_ns) : NULL;
}

static void report_spans_within(const unit_work *w, scope_kind kind, uint32_t first, uint32_t count)
{
    const worker subject = worker_of(w, w->spans + first, count);
    const analysis all = analyse(w, &subject, first);
    const diagnosis found = diagnose(&all, w->arena);
    const view_input in = {&all, &found, w->paths + first};
    report_scope s = {
        .kind = kind,
        .run = subject.run,
        .worker = subject.worker,
        .rank = subject.rank,
    };

    if (kind == SCOPE_LOG) {
        s.path = w->paths[first];
        s.span = w->spans[first].name;
        s.base_time_ns = base_time(w->spans[first].trace, w->arena);
    } else {
        const char **names = arena_new(w->arena, const char *, count);
        for (uint32_t i = 0; i < count; i++)
            names[i] = w->spans[first + i].name;
        s.spans = (text_list){names, count};
    }
    const worker_row row = row_of(w->unit, &subject, &all, &found);
    if (count == w->span_count)
        w->unit->row = row;
    if (w->unit->span_rows && kind == SCOPE_LOG)
        w->unit->span_rows[w->unit->span_row_count++] = row;
    add_sections(w, &in, &s);
    for (uint32_t f = 0; f < w->job->format_count; f++)
        if (format_wants(w, f, kind, first))
            render_part(w, f, &s);
}

// Analyses spans [first, first + count) as one and renders them. What that takes is not kept.
static void report_spans(const unit_work *w, scope_kind kind, uint32_t first, uint32_t count)
{
    unit_work within = *w;

    within.arena = arena_create();
    report_spans_within(&within, kind, first, count);
    arena_destroy(within.arena);
}

static void free_traces(const unit_work *w)
{
    for (uint32_t i = w->unit->first; i < w->unit->first + w->unit->count; i++) {
        trace_destroy(w->job->inputs[i].trace);
        w->job->inputs[i].trace = NULL;
    }
}

void job_report_unit(job *j, job_unit *u)
{
    unit_work w = {.job = j, .unit = u, .arena = arena_create()};

    u->arena = arena_create();
    take_spans(&w);
    u->left_out = j->options->ranks.at && !ranges_hold(&j->options->ranks, w.rank);
    u->usable = w.span_count && !u->left_out;
    if (u->usable) {
        // The whole is always analysed, for the table of workers.
        const bool several = w.span_count > 1;
        if (job_by_span(j))
            u->span_rows = arena_new(u->arena, worker_row, w.span_count);
        for (uint32_t i = 0; i < w.span_count; i++)
            if (!several || u->span_rows || scope_wanted(&w, SCOPE_LOG, i))
                report_spans(&w, SCOPE_LOG, i, 1);
        if (several)
            report_spans(&w, SCOPE_WORKER, 0, w.span_count);
    }
    free_traces(&w);
    arena_destroy(w.arena);
}

void job_unit_end(job_unit *u)
{
    for (uint32_t f = 0; f < MOST_FORMATS; f++)
        for (uint32_t i = 0; i < u->parts[f].sink_count; i++)
            tp_sink_abandon(u->parts[f].sinks[i]);
    arena_destroy(u->arena);
}
