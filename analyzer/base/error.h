// SPDX-License-Identifier: BSD-3-Clause
// Why something failed, for the reader of the message: file, byte, what was expected.
#ifndef BASE_ERROR_H
#define BASE_ERROR_H

#include <stdint.h>

#define ERR_CODE_MAP(X)                                                                            \
    X(NONE, "no error")                                                                            \
    X(IO, "cannot read")                                                                           \
    X(EMPTY, "empty file")                                                                         \
    X(GZIP, "broken gzip data")                                                                    \
    X(JSON, "not JSON")                                                                            \
    X(NOT_TRACE, "not a trace")                                                                    \
    X(LIMIT, "a limit was reached")                                                                \
    X(USAGE, "wrong usage")                                                                        \
    X(WRITE, "cannot write")

typedef enum err_code {
#define X(name, text) ERR_##name,
    ERR_CODE_MAP(X)
#undef X
} err_code;

enum { ERROR_NO_OFFSET = -1 };

typedef struct error {
    err_code code;
    int64_t offset;    // byte in the inflated stream, or ERROR_NO_OFFSET
    const char *path;  // borrowed; NULL where no file is meant
    char message[240]; // what was expected and found; no path, no offset
} error;

// Fills `err` and returns `code`, so that a failure is one statement. `err->path` stays.
err_code error_at(error *err, err_code code, int64_t offset, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

// Writes the one line that users see, without a newline: "rank0.json.gz: byte 48213: expected ':'".
// Returns `line`.
const char *error_line(const error *err, char *line, int size);

#define TRY(call)                                                                                  \
    do {                                                                                           \
        const err_code failed_ = (call);                                                           \
        if (failed_)                                                                               \
            return failed_;                                                                        \
    } while (0)

#endif
