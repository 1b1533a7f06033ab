// SPDX-License-Identifier: BSD-3-Clause
// Finds the way back into a trace behind something that cannot be understood.
#ifndef READ_CHROME_RESYNC_H
#define READ_CHROME_RESYNC_H

#include "read/chrome.h"

// Looks from json.at on for the end of an event with another one, or the end of the array, behind
// it. True: the reader stands there as behind a value of the array of events.
bool chrome_resync_event(chrome *c);

// The '{' of the first event behind another one in the window, from r->at on; NULL: there is none.
const char *chrome_find_event(const json_reader *r);

// Looks from json.at on for `"traceEvents":`. True: the reader stands there as before a key.
bool chrome_resync_root(chrome *c);

// Moves the window on, keeping what stands at json.at and behind. False at the end. A failed read
// is an end, noted and kept in c->failure.
bool chrome_more(chrome *c);

#endif
