// SPDX-License-Identifier: BSD-3-Clause
// Lines on standard error. Each begins with the program's name and is safe for a terminal.
#ifndef CLI_MESSAGES_H
#define CLI_MESSAGES_H

#include "base/error.h"

// "tprof-analyze: rank0.json.gz: byte 48213: expected ':' after a key".
void message_error(const error *err);

void message(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
