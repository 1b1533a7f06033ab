// SPDX-License-Identifier: BSD-3-Clause
// The bottleneck and the findings, first of all.
#include "views/view.h"

#include "base/text.h"
#include "report/units.h"

#include <string.h>

static const column VERDICT_COLUMNS[] = {
    COLUMN(verdict_row, device, UNIT_NONE, "Device"),
    COLUMN_AS(verdict_row, verdict_class, "class", UNIT_NONE, "Verdict"),
    COLUMN(verdict_row, share, UNIT_RATIO, "Share of step time"),
    COLUMN(verdict_row, step_ns, UNIT_NS, "Mean step"),
    COLUMN(verdict_row, gain_ns, UNIT_NS, "At most to gain"),
    COLUMN_QUIET(verdict_row, text, UNIT_PROSE, "Text"),
};

static const column FINDING_COLUMNS[] = {
    COLUMN_QUIET(finding_row, rule, UNIT_NONE, "Rule"),
    COLUMN_AS_QUIET(finding_row, finding_class, "class", UNIT_NONE, "Class"),
    COLUMN(finding_row, severity, UNIT_NONE, "Severity"),
    COLUMN_QUIET(finding_row, share, UNIT_RATIO, "Share"),
    COLUMN(finding_row, gain_ns, UNIT_NS, "Gain"),
    COLUMN(finding_row, evidence, UNIT_PROSE, "Evidence"),
    COLUMN(finding_row, advice, UNIT_PROSE, "Advice"),
    COLUMN_QUIET(finding_row, subject, UNIT_SUBJECT, "Subject"),
};

enum { VERDICT, FINDINGS };

// clang-format off
static const table SHAPES[] = {
    [VERDICT]  = {TABLE("verdict", "Bottleneck", VERDICT_COLUMNS, verdict_row),
                  .look = LOOK_RECORD},
    [FINDINGS] = {TABLE("findings", "Findings, with what each could save of a mean step at most",
                        FINDING_COLUMNS, finding_row),
                  .look = LOOK_ITEMS, .brief_rows = 3},
};
// clang-format on

static bool is_loss(const char *verdict)
{
    return strcmp(verdict, "compute") != 0 && strcmp(verdict, "balanced") != 0 &&
           strcmp(verdict, "unknown") != 0;
}

static void remark_gain(const verdict_row *v, view_output *out)
{
    char whole[UNIT_TEXT_BYTES], rest[UNIT_TEXT_BYTES];

    if (v->step_ns == INT_NONE || v->gain_ns == INT_NONE || v->gain_ns <= 0)
        return;
    view_remark(out, REMARK_BRIEF,
                "A mean step takes %s; without this it would take %s at best. A candidate to look "
                "at, not a proven cause.",
                unit_time(v->step_ns, whole), unit_time(v->step_ns - v->gain_ns, rest));
}

// The verdict's sentence says what the first finding says.
static bool first_is_verdict(const diagnosis *d)
{
    return d->finding_count && strcmp(d->findings[0].finding_class, d->verdict.verdict_class) == 0;
}

static void build(const view_input *in, view_output *out)
{
    const diagnosis *d = in->diagnosis;
    const bool loss = is_loss(d->verdict.verdict_class);

    if (d->verdict.text)
        view_remark(out, loss ? REMARK_BAD : REMARK_GOOD, "%s", d->verdict.text);
    if (loss)
        remark_gain(&d->verdict, out);
    view_table(out, &SHAPES[VERDICT], &d->verdict, 1);
    table *findings = view_table(out, &SHAPES[FINDINGS], d->findings, d->finding_count);
    findings->brief_skip = first_is_verdict(d);
}

const view view_verdict = {"verdict",         "the bottleneck, what it costs, and what to try",
                           "Verdict",         SHAPES,
                           ARRAY_LEN(SHAPES), build};
