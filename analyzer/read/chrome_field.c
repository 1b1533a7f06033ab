// SPDX-License-Identifier: BSD-3-Clause
// Which keys of a trace event are read, and where their values go.
#include "read/chrome_field.h"

#include <stddef.h>

// clang-format 14 crashes on it.
// clang-format off
const chrome_field CHROME_FIELDS[CHROME_KEYS] = {
    [CHROME_ARGS] = {TAKE_ARGS, 0, 0},
    [CHROME_PHASE] = {TAKE_PHASE, 0, offsetof(record, phase)},
#define X(name, kind, bit, member) [CHROME_##name] = {TAKE_##kind, bit, offsetof(record, member)},
    CHROME_FIELD_MAP(X)
#undef X
};
// clang-format on

// With a constant length the comparison is one or two loads.
#define IS(key, literal) (memcmp((key).at, (literal), sizeof(literal) - 1) == 0)

chrome_key chrome_event_key(text key)
{
    switch (key.length) {
    case 2:
        return IS(key, "ts")   ? CHROME_TIME
               : IS(key, "ph") ? CHROME_PHASE
               : IS(key, "id") ? CHROME_FLOW_ID
                               : CHROME_OTHER;
    case 3:
        return IS(key, "pid")   ? CHROME_PROCESS
               : IS(key, "tid") ? CHROME_THREAD
               : IS(key, "cat") ? CHROME_CATEGORY
               : IS(key, "dur") ? CHROME_DURATION
                                : CHROME_OTHER;
    case 4:
        return IS(key, "name") ? CHROME_NAME : IS(key, "args") ? CHROME_ARGS : CHROME_OTHER;
    default:
        return CHROME_OTHER;
    }
}

static chrome_key short_args_key(text key)
{
    switch (key.length) {
    case 4:
        return IS(key, "grid") ? CHROME_GRID : IS(key, "name") ? CHROME_ARG_NAME : CHROME_OTHER;
    case 5:
        return IS(key, "block")                       ? CHROME_BLOCK
               : IS(key, "bytes") || IS(key, "Bytes") ? CHROME_BYTES
                                                      : CHROME_OTHER;
    case 6:
        return IS(key, "device")   ? CHROME_DEVICE
               : IS(key, "stream") ? CHROME_STREAM
               : IS(key, "labels") ? CHROME_ARG_NAME
                                   : CHROME_OTHER;
    case 10:
        return IS(key, "Input Dims") || IS(key, "Input dims") ? CHROME_SHAPES
               : IS(key, "Input type")                        ? CHROME_TYPES
               : IS(key, "Call stack")                        ? CHROME_STACK
                                                              : CHROME_OTHER;
    default:
        return CHROME_OTHER;
    }
}

chrome_key chrome_args_key(text key)
{
    switch (key.length) {
    case 11:
        return IS(key, "External id") || IS(key, "external id") ? CHROME_EXTERNAL
               : IS(key, "correlation")                         ? CHROME_CORRELATION
                                                                : CHROME_OTHER;
    case 13:
        return IS(key, "blocks per SM")   ? CHROME_BLOCKS_SM
               : IS(key, "shared memory") ? CHROME_SHARED
               : IS(key, "Fwd thread id") ? CHROME_FWD_THREAD
                                          : CHROME_OTHER;
    case 15:
        return IS(key, "Sequence number") ? CHROME_SEQUENCE : CHROME_OTHER;
    case 16:
        return IS(key, "Python module id") ? CHROME_MODULE_ID : CHROME_OTHER;
    case 20:
        return IS(key, "registers per thread") ? CHROME_REGISTERS : CHROME_OTHER;
    case 25:
        return IS(key, "est. achieved occupancy %") ? CHROME_OCCUPANCY : CHROME_OTHER;
    default:
        return short_args_key(key);
    }
}
