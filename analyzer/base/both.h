// SPDX-License-Identifier: BSD-3-Clause
// Two pieces of work that know nothing of each other, side by side.
#ifndef BASE_BOTH_H
#define BASE_BOTH_H

#include <stdbool.h>

// Does `first` and `second` with `self`, and returns when both are done. The second has a thread of
// its own where `side_by_side` asks for one and the system gives it; else they follow each other.
void do_both(bool side_by_side, void (*first)(void *self), void (*second)(void *self), void *self);

#endif
