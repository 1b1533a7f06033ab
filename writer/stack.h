// SPDX-License-Identifier: BSD-3-Clause
// Call stacks: equal ones are kept once, as addresses, and get their text in the background.
#ifndef WRITER_STACK_H
#define WRITER_STACK_H

#include "event.h"

// Loads what unwinding needs, so that the first stack does not wait for it.
void tp_stack_init(void);

// The calling thread's stack from the frame that `caller`, a return address, belongs to.
const tp_stack *tp_stack_here(const void *caller);

// Around fork(): no thread looks up names, here or in the dynamic linker, so that the child can.
void tp_stack_before_fork(void);
void tp_stack_after_fork(void);

// A stack that is given as text.
const tp_stack *tp_stack_of_text(const char *text);

#endif
