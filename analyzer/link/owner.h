// SPDX-License-Identifier: BSD-3-Clause
// Which operator an event belongs to. The trace must be linked.
#ifndef LINK_OWNER_H
#define LINK_OWNER_H

#include "model/trace.h"

// The innermost operator (ROLE_OPERATOR; a loader is none, a step is none) around a host event,
// itself excluded; or EVENT_NONE. Follows events.link upwards, so it costs the depth of the
// nesting: to ask for many events, use owner_operators().
uint32_t owner_operator(const trace *t, uint32_t host_event);

// The innermost event around a launch of any kind but calls and Python frames: operator,
// annotation, step.
uint32_t owner_any(const trace *t, uint32_t host_event);

// The owner_operator() of every host event, and of device work that of its launch; EVENT_NONE where
// there is none. One pass; give it back with arena_release().
uint32_t *owner_operators(const trace *t, arena *a);

#endif
