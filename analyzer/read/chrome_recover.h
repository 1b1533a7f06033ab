// SPDX-License-Identifier: BSD-3-Clause
// What to do where a unit of a trace, an event or a member of the root, cannot be read on: get more
// bytes, read it again with doubt, or give it up and find the next.
#ifndef READ_CHROME_RECOVER_H
#define READ_CHROME_RECOVER_H

#include "read/chrome.h"

// Behind STEP_MORE and STEP_ERROR. True: go on reading.
bool chrome_want_more(chrome *c);
bool chrome_recover(chrome *c);

// Whether so much was read again that a reader of all of the file might have to stop doing so
// sooner.
bool chrome_is_strained(const chrome *c);

#endif
