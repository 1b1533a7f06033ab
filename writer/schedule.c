// SPDX-License-Identifier: BSD-3-Clause
// Pure: step number -> action, and from one action to the next -> what the profiler does.
#include "schedule.h"

tprof_action tprof_schedule_action(const tprof_schedule *schedule, int64_t step)
{
    if (!tp_schedule_given(schedule))
        return TPROF_ACTION_RECORD;
    if (!tp_schedule_valid(schedule) || step < schedule->skip_first)
        return TPROF_ACTION_NONE;

    const int64_t cycle = (int64_t)schedule->wait + schedule->warmup + schedule->active;
    const int64_t n = step - schedule->skip_first;
    // Added to the place in a cycle, since there may be no room behind the last step.
    const int64_t shifted = n % cycle + (schedule->skip_first_wait ? schedule->wait : 0);
    if (schedule->repeat && n / cycle + shifted / cycle >= schedule->repeat)
        return TPROF_ACTION_NONE;

    const int64_t at = shifted % cycle;
    if (at < schedule->wait)
        return TPROF_ACTION_NONE;
    if (at < (int64_t)schedule->wait + schedule->warmup)
        return TPROF_ACTION_WARMUP;
    return at + 1 < cycle ? TPROF_ACTION_RECORD : TPROF_ACTION_RECORD_AND_SAVE;
}

bool tp_schedule_given(const tprof_schedule *schedule)
{
    return schedule->skip_first || schedule->wait || schedule->warmup || schedule->active ||
           schedule->repeat || schedule->skip_first_wait;
}

bool tp_schedule_valid(const tprof_schedule *schedule)
{
    if (!tp_schedule_given(schedule))
        return true;
    return schedule->skip_first >= 0 && schedule->wait >= 0 && schedule->warmup >= 0 &&
           schedule->repeat >= 0 && schedule->active > 0;
}

unsigned tp_schedule_transition(tprof_action from, const tprof_action *to)
{
    enum {
        SAVE = TP_WINDOW_STOP | TP_WINDOW_READY,
        BEGIN = TP_WINDOW_PREPARE | TP_WINDOW_START,
        END = 4, // the column of stop()
    };
    // Rows: from none, warm-up, record, record and save. What a schedule never asks for, such as
    // record to none, ends the window without a file.
    static const unsigned table[4][5] = {
        {0,                TP_WINDOW_PREPARE,        BEGIN,           BEGIN,           0               },
        {TP_WINDOW_CANCEL, 0,                        TP_WINDOW_START, TP_WINDOW_START, TP_WINDOW_CANCEL},
        {TP_WINDOW_STOP,   TP_WINDOW_STOP,           0,               0,               SAVE            },
        {SAVE,             SAVE | TP_WINDOW_PREPARE, SAVE | BEGIN,    SAVE | BEGIN,    SAVE            },
    };
    return table[from][to ? (int)*to : END];
}
