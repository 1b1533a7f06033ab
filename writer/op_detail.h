// SPDX-License-Identifier: BSD-3-Clause
// Operators in the log: their inputs, written behind the event and read back.
#ifndef WRITER_OP_DETAIL_H
#define WRITER_OP_DETAIL_H

#include "event.h"

// Appends the event with `detail` and, where `op` is not NULL, the inputs. What does not fit into
// TP_SLOTS_MAX slots is left out and marked as cut.
void tp_op_append(const tp_event *event, tp_op_detail *detail, const tprof_op *op);

#endif
