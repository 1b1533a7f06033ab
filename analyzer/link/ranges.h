// SPDX-License-Identifier: BSD-3-Clause
// Which host events are rows of the operator table, and which are ranges marked in the program.
// Loaders, optimizers and the two parallel wrappers are marks, not operators; until torch 1.12 they
// were recorded as operators.
#ifndef LINK_RANGES_H
#define LINK_RANGES_H

#include "model/trace.h"

enum { NAME_MARK = NAME_LOADER | NAME_OPTIMIZER | NAME_WRAPPER };

static inline bool range_is_operator(const trace *t, uint32_t event)
{
    return t->events.role[event] == ROLE_OPERATOR && !(event_flags(t, event) & NAME_MARK);
}

static inline bool range_is_annotation(const trace *t, uint32_t event)
{
    return t->events.role[event] == ROLE_ANNOTATION ||
           (t->events.role[event] == ROLE_OPERATOR && event_flags(t, event) & NAME_MARK);
}

#endif
