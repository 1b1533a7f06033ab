// SPDX-License-Identifier: BSD-3-Clause
// Lets the n-th allocation of the test program fail. Replaces malloc and its kin, so it is linked
// into programs of their own, and not under a sanitizer, which replaces them too.
#ifndef SUPPORT_FAILING_MALLOC_H
#define SUPPORT_FAILING_MALLOC_H

#include <stdbool.h>
#include <stdint.h>

// Counts from now on; allocation number `n` (from 1) and, with `all_later`, those after it give
// NULL. 0: none fails.
void fail_allocation(int64_t n, bool all_later);

// Allocations since then.
int64_t allocations_counted(void);

#endif
