// SPDX-License-Identifier: BSD-3-Clause
// The processor's counter on x86-64.
#ifndef WRITER_TICKS_X86_H
#define WRITER_TICKS_X86_H

#include <cpuid.h>
#include <stdbool.h>
#include <stdint.h>

static inline uint64_t tp_ticks_read(void)
{
    return __builtin_ia32_rdtsc();
}

// Whether the counter runs at one rate on all cores and in all power states (invariant TSC).
static inline bool tp_ticks_usable(void)
{
    unsigned a, b, c, d;
    return __get_cpuid(0x80000007u, &a, &b, &c, &d) && (d & (1u << 8));
}

#endif
