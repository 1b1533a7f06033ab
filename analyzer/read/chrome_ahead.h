// SPDX-License-Identifier: BSD-3-Clause
// Reading ahead: the thread that fills windows also reads events of those that wait, from the first
// place in them that looks like an event's beginning. Whoever comes there and finds that an event
// does begin there hands on what was read, and goes on behind it.
#ifndef READ_CHROME_AHEAD_H
#define READ_CHROME_AHEAD_H

#include "read/chrome.h"

// Events in a row, all of them without a note.
typedef struct chrome_log {
    const char *from; // the first one's '{'
    chrome_mark to;   // where to go on
    // Records without what they do not have: see log_record() in chrome_ahead.c.
    char *bytes;
    size_t used;
    uint32_t count;
    scratch texts; // what is not in the slot
} chrome_log;

typedef struct chrome_ahead chrome_ahead;

// NULL where that is not to be, or there is no such thread.
chrome_ahead *chrome_ahead_begin(input *in, const read_limits *limits);
void chrome_ahead_end(chrome_ahead *a); // NULL is allowed

// The window has changed.
void chrome_ahead_window(chrome *c);

// At the mark an event begins, where the log does: hands on its events and goes behind them. False
// where they cannot be used.
bool chrome_ahead_replay(chrome *c);

#endif
