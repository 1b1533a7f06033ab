// SPDX-License-Identifier: BSD-3-Clause
// The run so far, added up, and told as a table in Markdown.
#include "encode/run_summary.h"

#include <inttypes.h>
#include <string.h>

void tp_run_totals_add(tp_run_totals *totals, const tp_capture *capture, const tp_step_costs *costs)
{
    for (size_t i = 0; i < costs->count; i++) {
        const tp_step_mark *step = &costs->steps[i];
        const int64_t step_ns = step->end_ns - step->begin_ns;

        if (!totals->steps) {
            totals->first_step = step->number;
            totals->shortest_ns = step_ns;
        }
        totals->steps++;
        totals->last_step = step->number;
        totals->step_ns += step_ns;
        totals->loader_ns += costs->loader_ns[i];
        totals->device_ns += (int64_t)costs->device_count * step_ns;
        for (size_t d = 0; d < costs->device_count; d++)
            totals->busy_ns += costs->busy_ns[d * costs->count + i];
        if (step_ns < totals->shortest_ns)
            totals->shortest_ns = step_ns;
        if (step_ns > totals->longest_ns)
            totals->longest_ns = step_ns;
    }
    totals->batch_size = capture->batch_size;
    for (int i = 0; i < TPROF_LOSS_COUNT; i++)
        totals->lost_events += capture->losses[i];
}

static double milliseconds(int64_t ns)
{
    return (double)ns / 1e6;
}

static double percent(int64_t part, int64_t whole)
{
    return whole > 0 ? 100.0 * (double)part / (double)whole : 0.0;
}

// A bar inside a cell would end it.
static void write_cell(tp_text *text, const char *cell)
{
    for (const char *at = cell; *at;) {
        const size_t plain = strcspn(at, "|");
        tp_text_append(text, at, plain);
        at += plain;
        if (*at) {
            tp_text_add(text, "\\|");
            at++;
        }
    }
}

static void write_environment(const tp_capture *capture, tp_text *text)
{
    const char *key = tprof_key_word(TPROF_KEY_ENVIRONMENT);

    for (uint32_t i = 0; i < capture->metadata_count; i++) {
        if (strcmp(capture->metadata[i].key, key) != 0)
            continue;
        tp_text_print(text, "| %s | ", key);
        write_cell(text, capture->metadata[i].json);
        tp_text_add(text, " |\n");
    }
}

static void write_fixed(tp_text *text, const char *label, double value, int decimals,
                        const char *unit)
{
    tp_text_print(text, "| %s | ", label);
    tp_text_fixed(text, value, decimals);
    tp_text_print(text, " %s |\n", unit);
}

void tp_run_summary_write(const tp_capture *capture, const tp_run_totals *totals, tp_text *text)
{
    const double steps = totals->steps > 0 ? (double)totals->steps : 1.0;

    tp_text_add(text, "| | |\n|---|---|\n");
    tp_text_print(text, "| recorded steps | %" PRId64 " (%" PRId64 " to %" PRId64 ") |\n",
                  totals->steps, totals->first_step, totals->last_step);
    write_fixed(text, "mean step time", milliseconds(totals->step_ns) / steps, 3, "ms");
    write_fixed(text, "shortest step", milliseconds(totals->shortest_ns), 3, "ms");
    write_fixed(text, "longest step", milliseconds(totals->longest_ns), 3, "ms");
    if (totals->batch_size > 0 && totals->step_ns > 0)
        write_fixed(text, "throughput",
                    (double)totals->batch_size * steps * 1e9 / (double)totals->step_ns, 2,
                    "samples/s");
    write_fixed(text, "wait for the data loader", percent(totals->loader_ns, totals->step_ns), 1,
                "% of step time");
    if (totals->device_ns > 0)
        write_fixed(text, "devices busy", percent(totals->busy_ns, totals->device_ns), 1,
                    "% of step time");
    if (totals->lost_events > 0)
        tp_text_print(text, "| events lost or cut | %" PRIu64 " |\n", totals->lost_events);
    write_environment(capture, text);
}
