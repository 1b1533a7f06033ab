// SPDX-License-Identifier: BSD-3-Clause
// Nesting of host events on their threads.
#ifndef LINK_OP_TREE_H
#define LINK_OP_TREE_H

#include "model/trace.h"

// Fills events.link of host events: the innermost event of the thread that is still open at its
// begin and does not end before it, or EVENT_NONE. An event that begins where another ends is not
// in it. Events that overlap in part are both kept, side by side, and noted.
//
// Python frames nest among themselves, and all else as if there were none: a frame around a mark
// ends inside it, and one of a generator outlives whoever called it.
//
// All but Python frames. While it is there it lists the marked ranges (trace.ranges) and the calls
// that launched device work (trace.launches, trace.launched_by). The trace is correlated.
void op_tree_build(trace *t);

// Python frames; touches nothing else, so it may run beside the other.
void op_tree_build_frames(trace *t);

#endif
