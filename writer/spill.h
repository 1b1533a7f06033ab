// SPDX-License-Identifier: BSD-3-Clause
// Room on disk for the chunks of a long window: a file without a name, seen through one mapping.
#ifndef WRITER_SPILL_H
#define WRITER_SPILL_H

#include "chunk_pool.h"

#include <stdbool.h>
#include <stddef.h>

// Sets aside at most `bytes`, and never more than 1 TiB; 0 turns it off. The file is made with the
// first chunk, in $TMPDIR, /var/tmp or /tmp. Any number of calls; while chunks are stored the bound
// before stays.
void tp_spill_open(size_t bytes);

// A copy of the chunk on disk, which reads and writes like one in memory; NULL where there is no
// room. To be given back with tp_spill_release().
tp_chunk *tp_spill_store(const tp_chunk *chunk);

bool tp_spill_owns(const tp_chunk *chunk);
void tp_spill_release(void);

// In the child of a fork: the parent's file is not its own.
void tp_spill_after_fork(void);

#endif
