// SPDX-License-Identifier: BSD-3-Clause
// Why something failed, for the reader of the message.
#include "base/error.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

err_code error_at(error *err, err_code code, int64_t offset, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(err->message, sizeof(err->message), format, args);
    va_end(args);
    err->code = code;
    err->offset = offset;
    return code;
}

const char *error_line(const error *err, char *line, int size)
{
    const char *path = err->path ? err->path : "";
    const char *colon = err->path ? ": " : "";

    if (err->offset == ERROR_NO_OFFSET)
        snprintf(line, (size_t)size, "%s%s%s", path, colon, err->message);
    else
        snprintf(line, (size_t)size, "%s%sbyte %" PRId64 ": %s", path, colon, err->offset,
                 err->message);
    return line;
}
