// SPDX-License-Identifier: BSD-3-Clause
// The state of reading as it is at the beginning.
#ifndef READ_CHROME_BEGIN_H
#define READ_CHROME_BEGIN_H

#include "read/chrome.h"

// Before a file. `c` is zero; what it needs more of memory lives in `a`.
void chrome_begin(chrome *c, arena *a, const read_limits *limits, const record_visitor *visitor);

// Before a document of the file.
void chrome_begin_document(chrome *c);

// Before an event, as if all in front of it had been read.
void chrome_begin_inside(chrome *c, bool array_root);

// The scanner of that name, or the best for this machine.
const chrome_scanner *chrome_pick_scanner(const char *name);

#endif
