// SPDX-License-Identifier: BSD-3-Clause
// The TensorBoard trace handler as the profiler sees it.
#ifndef WRITER_HANDLER_H
#define WRITER_HANDLER_H

#include "tprof/tprof.h"

typedef struct tp_board tp_board;

// The TensorBoard handler behind `handler`, or NULL where it is another one.
tp_board *tp_board_of(const tprof_handler *handler);

// Says which rank this process is, before the first window. Whether it is to write; any rank
// without a limit.
bool tp_board_set_rank(tp_board *board, int32_t rank);

// Waits for all files; the first failure since the last call.
tprof_status tp_board_flush(tp_board *board);

// Adds what the handler counts.
void tp_board_add_stats(tp_board *board, tprof_stats *stats);

// As snprintf() does: the text of the last failure; the path of the last file.
size_t tp_board_error(tp_board *board, char *text, size_t size);
size_t tp_board_last_file(tp_board *board, char *path, size_t size);

#endif
