// SPDX-License-Identifier: BSD-3-Clause
// Pure: where events of a window belong in which the system's time was set.
#include "gpu/clock_step.h"

#include <stdlib.h>

enum {
    NOISE_NS = 20000, // of the readings
    // The system leads its clock by at most 500 ns in a ms, and a little more in bad times.
    LED_NS_IN_MS = 1000,
};

bool tp_clock_step_is_one(const tp_clock_step *step)
{
    const int64_t length_ms = (step->end_ns - step->begin_ns) / 1000000;
    return llabs(step->after_ns - step->before_ns) > NOISE_NS + length_ms * LED_NS_IN_MS;
}

static bool is_within(const tp_gpu_event *event, int64_t moved_ns, int64_t begin_ns, int64_t end_ns)
{
    return event->begin_ns + moved_ns >= begin_ns && event->end_ns + moved_ns <= end_ns;
}

typedef enum side {
    SIDE_UNKNOWN,
    SIDE_BEFORE,
    SIDE_AFTER,
} side;

// On which side alone the event fits into an interval.
static side fitting_side(const tp_clock_step *step, const tp_gpu_event *event, int64_t begin_ns,
                         int64_t end_ns)
{
    const bool before = is_within(event, step->before_ns, begin_ns, end_ns);
    const bool after = is_within(event, step->after_ns, begin_ns, end_ns);
    if (before == after)
        return SIDE_UNKNOWN;
    return before ? SIDE_BEFORE : SIDE_AFTER;
}

void tp_clock_step_learn(tp_clock_step *step, const tp_gpu_event *call, const int64_t *range)
{
    side found = fitting_side(step, call, step->begin_ns, step->end_ns);
    if (found == SIDE_UNKNOWN && range)
        found = fitting_side(step, call, range[0], range[1]);
    if (found == SIDE_BEFORE && call->correlation > step->last_before)
        step->last_before = call->correlation;
    if (found == SIDE_AFTER && (!step->first_after || call->correlation < step->first_after))
        step->first_after = call->correlation;
}

static side side_of(tp_clock_step *step, const tp_gpu_event *event)
{
    const side found = fitting_side(step, event, step->begin_ns, step->end_ns);
    if (found != SIDE_UNKNOWN)
        return found;
    // Work of an earlier window or warm-up, or of one to come.
    if (!is_within(event, step->before_ns, step->begin_ns, step->end_ns))
        return event->begin_ns + step->after_ns > step->end_ns ? SIDE_AFTER : SIDE_BEFORE;
    if (event->correlation && step->first_after && event->correlation >= step->first_after)
        return SIDE_AFTER;
    if (!event->correlation || event->correlation > step->last_before)
        step->unsure++;
    return SIDE_BEFORE;
}

void tp_clock_step_place(tp_clock_step *step, tp_gpu_event *event)
{
    int64_t moved_ns = step->before_ns;

    if (tp_clock_step_is_one(step)) {
        if (side_of(step, event) == SIDE_AFTER)
            moved_ns = step->after_ns;
    } else if (llabs(step->after_ns - step->before_ns) > NOISE_NS) {
        const double part = (double)(event->begin_ns + moved_ns - step->begin_ns) /
                            (double)(step->end_ns - step->begin_ns);
        const double bounded = part < 0 ? 0 : part > 1 ? 1 : part;
        moved_ns += (int64_t)(bounded * (double)(step->after_ns - step->before_ns));
    }
    event->begin_ns += moved_ns;
    event->end_ns += moved_ns;
}
