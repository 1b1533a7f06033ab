// SPDX-License-Identifier: BSD-3-Clause
// A machine on which no counter is read: the system's clock is used instead.
#ifndef WRITER_TICKS_GENERIC_H
#define WRITER_TICKS_GENERIC_H

#include <stdbool.h>
#include <stdint.h>

static inline uint64_t tp_ticks_read(void)
{
    return 0;
}

static inline bool tp_ticks_usable(void)
{
    return false;
}

#endif
