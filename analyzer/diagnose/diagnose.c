// SPDX-License-Identifier: BSD-3-Clause
// Judges the facts, ranks what is found, names the bottleneck.
#include "diagnose/diagnose.h"

#include "base/both.h"
#include "diagnose/rules.h"
#include "diagnose/wording.h"

#include <inttypes.h>
#include <stdatomic.h>
#include <stdlib.h>

static const double VERDICT_LOSS = 0.20, VERDICT_COMPUTE = 0.60, FINDING_LOSS = 0.05;

// From severe to mild.
static const struct {
    const char *word;
    double from; // share of a step that it is worth
} SEVERITIES[] = {
    {"high",   0.20},
    {"medium", 0.10},
    {"low",    0   },
};
static const char *const SEVERITY_UNKNOWN = "info";

// What is worked out of a worker: members of `analysis`. None needs another one; the longest come
// first.
#define ANALYSES(X)                                                                                \
    X(operators)                                                                                   \
    X(overview)                                                                                    \
    X(classes)                                                                                     \
    X(annotations)                                                                                 \
    X(kernels)                                                                                     \
    X(dataloader)                                                                                  \
    X(launches)                                                                                    \
    X(data_health)

#define X(part)                                                                                    \
    static void run_##part(analysis *all, arena *a)                                                \
    {                                                                                              \
        all->part = part##_analyze(all->worker, a);                                                \
    }
ANALYSES(X)
#undef X

static void run_transfers(analysis *all, arena *a)
{
    (void)a; // needs none
    all->transfers = transfers_analyze(all->worker);
}

#define X(part) run_##part,
static void (*const RUNS[])(analysis *all, arena *a) = {ANALYSES(X) run_transfers};
#undef X

typedef struct analysis_work {
    analysis *all;
    _Atomic uint32_t next; // of RUNS
    arena *mine, *others;  // one for each thread
} analysis_work;

static void run_next_ones(analysis_work *w, arena *a)
{
    for (;;) {
        const uint32_t next = atomic_fetch_add(&w->next, 1);
        if (next >= ARRAY_LEN(RUNS))
            return;
        RUNS[next](w->all, a);
    }
}

static void run_mine(void *self)
{
    analysis_work *const w = self;
    run_next_ones(w, w->mine);
}

static void run_others(void *self)
{
    analysis_work *const w = self;
    run_next_ones(w, w->others);
}

analysis analysis_run(const worker *w, bool side_by_side, arena *a)
{
    analysis all = {.worker = w};
    analysis_work work = {.all = &all, .mine = a, .others = arena_create()};

    do_both(side_by_side, run_mine, run_others, &work);
    arena_join(a, work.others);
    return all;
}

void analysis_narrow(analysis *all, const analysis *selected)
{
    all->operators = selected->operators;
    all->kernels = selected->kernels;
    all->launches = selected->launches;
    all->annotations = selected->annotations;
    all->of_selected_steps = true;
}

static bottleneck largest_loss(const facts *f)
{
    bottleneck largest = 0;

    for (bottleneck b = 1; b < BOTTLENECK_COMPUTE; b++)
        if (f->class_ns[b] > f->class_ns[largest])
            largest = b;
    return largest;
}

// Whether anything but unmarked time was seen in the steps.
static bool is_usable(const facts *f)
{
    const class_row *s = &f->sums;

    return f->wall_ns > 0 && !(f->on_host && s->idle_host_ns == f->wall_ns);
}

static const char *advice_of(const facts *f, bottleneck b)
{
    const bottleneck_text *t = &BOTTLENECK_TEXTS[b];

    return f->on_host ? t->host_advice : t->advice;
}

// The first thing to try: advice goes from the likeliest on, parted by semicolons.
static int first_advice(const char *advice)
{
    return (int)strcspn(advice, ";");
}

static verdict_row named_verdict(const facts *f, bottleneck b, arena *a)
{
    const char *advice = advice_of(f, b);

    return (verdict_row){
        .device = f->device,
        .verdict_class = BOTTLENECK_TEXTS[b].word,
        .share = facts_share(f, b),
        .step_ns = facts_per_step(f, f->wall_ns),
        .gain_ns = facts_per_step(f, f->class_ns[b]),
        .text = arena_printf(a, "%s: %s%s. Try first: %.*s.", BOTTLENECK_TEXTS[b].title,
                             rules_share_evidence(f, b, a),
                             b == BOTTLENECK_COMPUTE ? "" : ", which is the most there is to gain",
                             first_advice(advice), advice),
    };
}

static verdict_row balanced_verdict(const facts *f, arena *a)
{
    const bottleneck loss = largest_loss(f);

    return (verdict_row){
        .device = f->device,
        .verdict_class = "balanced",
        .share = REAL_NONE,
        .step_ns = facts_per_step(f, f->wall_ns),
        .gain_ns = INT_NONE,
        .text =
            arena_printf(a,
                         "Balanced: no loss reaches %s of the time of %s on %s (the largest, "
                         "%s, has %s), and compute has %s. The findings name what is left.",
                         wording_share(VERDICT_LOSS, a), wording_steps(f, a), wording_device(f, a),
                         BOTTLENECK_TEXTS[loss].word, wording_share(facts_share(f, loss), a),
                         wording_share(facts_share(f, BOTTLENECK_COMPUTE), a)),
    };
}

static verdict_row unknown_verdict(const facts *f)
{
    return (verdict_row){
        .device = f->device,
        .verdict_class = "unknown",
        .share = REAL_NONE,
        .step_ns = facts_per_step(f, f->wall_ns),
        .gain_ns = INT_NONE,
        .text = "Unknown: no step has operators, waits or device work in it.",
    };
}

static verdict_row judge(const facts *f, arena *a)
{
    if (!is_usable(f))
        return unknown_verdict(f);
    const bottleneck loss = largest_loss(f);
    if (facts_share(f, loss) >= VERDICT_LOSS)
        return named_verdict(f, loss, a);
    if (facts_share(f, BOTTLENECK_COMPUTE) >= VERDICT_COMPUTE)
        return named_verdict(f, BOTTLENECK_COMPUTE, a);
    return balanced_verdict(f, a);
}

static uint32_t severity_of(const facts *f, int64_t gain_ns)
{
    const int64_t step_ns = facts_per_step(f, f->wall_ns);
    uint32_t i = 0;

    if (gain_ns == INT_NONE || step_ns <= 0)
        return ARRAY_LEN(SEVERITIES);
    while (i + 1 < ARRAY_LEN(SEVERITIES) && (double)gain_ns / (double)step_ns < SEVERITIES[i].from)
        i++;
    return i;
}

static const char *severity_word(uint32_t severity)
{
    return severity < ARRAY_LEN(SEVERITIES) ? SEVERITIES[severity].word : SEVERITY_UNKNOWN;
}

typedef struct finding_list {
    finding_row *at;
    uint32_t count, capacity;
    arena *arena;
    const facts *facts;
} finding_list;

static void add(finding_list *list, finding_row row)
{
    row.severity = severity_word(severity_of(list->facts, row.gain_ns));
    arena_reserve_one(list->arena, list->at, list->count, list->capacity);
    list->at[list->count++] = row;
}

static void add_losses(finding_list *list)
{
    const facts *f = list->facts;

    for (bottleneck b = 0; b < BOTTLENECK_COMPUTE; b++) {
        if (!(facts_share(f, b) >= FINDING_LOSS))
            continue;
        add(list, (finding_row){
                      .rule = arena_printf(list->arena, "%s-bound", BOTTLENECK_TEXTS[b].word),
                      .finding_class = BOTTLENECK_TEXTS[b].word,
                      .share = facts_share(f, b),
                      .gain_ns = facts_per_step(f, f->class_ns[b]),
                      .evidence = rules_loss_evidence(f, b, list->arena),
                      .advice = advice_of(f, b),
                  });
    }
}

static const char *class_of_rule(const rule *r, const facts *f)
{
    if (r->rule_class != BOTTLENECKS)
        return BOTTLENECK_TEXTS[r->rule_class].word;
    return r->gain && f->outlier_class != BOTTLENECKS ? BOTTLENECK_TEXTS[f->outlier_class].word
                                                      : "unknown";
}

static void add_rules(finding_list *list)
{
    const facts *f = list->facts;

    for (uint32_t i = 0; i < RULE_COUNT; i++) {
        const rule *r = &RULES[i];
        const double share = r->share(f);
        if (!(share >= r->limit)) // an unknown share is not
            continue;
        add(list, (finding_row){
                      .rule = r->name,
                      .finding_class = class_of_rule(r, f),
                      .share = r->share_is_shown ? share : REAL_NONE,
                      .gain_ns = r->gain ? r->gain(f) : INT_NONE,
                      .evidence = r->evidence(f, list->arena),
                      .advice = r->advice,
                      .subject = r->subject ? r->subject(f) : NULL,
                  });
    }
}

// Notes that a rule tells with more words.
static bool has_rule(const char *code)
{
    return !strcmp(code, "gpu_records_missing") || !strcmp(code, "gpu_not_recorded");
}

static const char *health_evidence(const data_note *n, arena *a)
{
    const char *times =
        n->count == 1 ? "once" : arena_printf(a, "%s times", wording_count((int64_t)n->count, a));

    if (n->byte == ERROR_NO_OFFSET)
        return arena_printf(a, "%s (%s)", n->text, times);
    return arena_printf(a, "%s (%s, first at byte %" PRId64 ")", n->text, times, n->byte);
}

// Trouble with the data is told one by one; what only was bent to be read is in the health table.
static void add_health(finding_list *list)
{
    const data_health *r = &list->facts->all->data_health;

    for (uint32_t i = 0; i < r->note_count; i++) {
        const data_note *n = &r->notes[i];
        if (n->severity == NOTE_INFO || has_rule(n->code))
            continue;
        add(list, (finding_row){
                      .rule = arena_printf(list->arena, "data-%s", n->code),
                      .finding_class = "unknown",
                      .share = REAL_NONE,
                      .gain_ns = INT_NONE,
                      .evidence = health_evidence(n, list->arena),
                      .advice = "figures may be off by what is missing; see the health table",
                  });
    }
}

static int by_worth(const void *x, const void *y)
{
    const finding_row *a = x, *b = y;
    const bool a_info = !strcmp(a->severity, SEVERITY_UNKNOWN);
    const bool b_info = !strcmp(b->severity, SEVERITY_UNKNOWN);

    if (a_info != b_info)
        return a_info ? 1 : -1;
    // The severity of all others goes down with the gain.
    if (a->gain_ns != b->gain_ns)
        return a->gain_ns > b->gain_ns ? -1 : 1;
    return strcmp(a->rule, b->rule);
}

diagnosis diagnose(const analysis *all, arena *a)
{
    const facts f = facts_of(all);
    finding_list list = {.arena = a, .facts = &f};

    add_losses(&list);
    add_rules(&list);
    add_health(&list);
    if (list.count)
        qsort(list.at, list.count, sizeof(*list.at), by_worth);
    return (diagnosis){judge(&f, a), list.at, list.count};
}
