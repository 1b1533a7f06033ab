// SPDX-License-Identifier: BSD-3-Clause
// Which host events are rows of the operator table, and which are ranges marked in the program.
#ifndef ANALYZE_RANGES_H
#define ANALYZE_RANGES_H

#include "model/trace.h"

// Loaders, optimizers and the two parallel wrappers are marks, not operators; until torch 1.12 they
// were recorded as operators. Names as ids of one trace.
typedef struct range_names {
    uint32_t data_parallel, distributed;
} range_names;

static inline range_names range_names_of(const trace *t)
{
    return (range_names){strings_find(&t->strings, TEXT("DataParallel.forward")),
                         strings_find(&t->strings, TEXT("DistributedDataParallel.forward"))};
}

static inline bool range_is_mark(const trace *t, const range_names *names, uint32_t event)
{
    const uint32_t name = t->events.name[event];

    return (t->name_flags[name] & (NAME_LOADER | NAME_OPTIMIZER)) || name == names->data_parallel ||
           name == names->distributed;
}

static inline bool range_is_operator(const trace *t, const range_names *names, uint32_t event)
{
    return t->events.role[event] == ROLE_OPERATOR && !range_is_mark(t, names, event);
}

static inline bool range_is_annotation(const trace *t, const range_names *names, uint32_t event)
{
    return t->events.role[event] == ROLE_ANNOTATION ||
           (t->events.role[event] == ROLE_OPERATOR && range_is_mark(t, names, event));
}

#endif
