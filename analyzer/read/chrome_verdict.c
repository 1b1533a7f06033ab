// SPDX-License-Identifier: BSD-3-Clause
// Why a file gave no events, said so that its owner knows what it is.
#include "read/chrome_verdict.h"

#define EXPECTED "expected a trace in JSON"

typedef struct beginning {
    text bytes;
    const char *name;
} beginning;

#define BEGINNING(bytes, name)                                                                     \
    {                                                                                              \
        TEXT_INIT(bytes), name                                                                     \
    }

// Told apart by their first bytes; the longer first.
static const beginning BEGINNINGS[] = {
    BEGINNING("<!", "an HTML or XML page"),
    BEGINNING("<", "an HTML or XML page"),
    BEGINNING("\xff\xfe", "UTF-16 text"),
    BEGINNING("\xfe\xff", "UTF-16 text"),
    BEGINNING("\x28\xb5\x2f\xfd", "zstd data"),
    BEGINNING("\xfd"
              "7zXZ",
              "xz data"),
    BEGINNING("BZh", "bzip2 data"),
    BEGINNING("PK\x03\x04", "a zip archive"),
    BEGINNING("\x1f\x8b", "gzip data inside gzip data"),
    BEGINNING("SQLite format 3", "an SQLite database"),
    BEGINNING("\x7f"
              "ELF",
              "a program"),
    BEGINNING("version https://git-lfs", "a Git LFS pointer; fetch the file itself"),
};

err_code chrome_verdict_beginning(const chrome *c, error *err)
{
    const json_reader *r = &c->json;
    const text found = {r->at, (size_t)(r->end - r->at)};
    const int64_t offset = (int64_t)json_offset(r, r->at);

    for (size_t i = 0; i < ARRAY_LEN(BEGINNINGS); i++)
        if (text_starts(found, BEGINNINGS[i].bytes))
            return error_at(err, ERR_JSON, offset, "not JSON but %s; " EXPECTED,
                            BEGINNINGS[i].name);
    const unsigned char byte = (unsigned char)*r->at;
    if (byte > ' ' && byte < 0x7f)
        return error_at(err, ERR_JSON, offset, "not JSON: expected '{' or '[', found '%c'", byte);
    return error_at(err, ERR_JSON, offset, "not JSON: expected '{' or '[', found byte 0x%02x",
                    byte);
}

static err_code nothing_at_all(const chrome *c, error *err)
{
    if (c->gzip_problem)
        return error_at(err, ERR_GZIP, ERROR_NO_OFFSET, "%s; no data could be read",
                        c->gzip_problem);
    if (input_is_gzip(c->in))
        return error_at(err, ERR_EMPTY, ERROR_NO_OFFSET,
                        "empty file: gzip data with nothing in it; " EXPECTED);
    return error_at(err, ERR_EMPTY, ERROR_NO_OFFSET, "empty file (0 bytes); " EXPECTED);
}

static err_code no_document(const chrome *c, error *err)
{
    if (input_inflated_bytes(c->in) == 0)
        return nothing_at_all(c, err);
    if (c->zeros)
        return error_at(err, ERR_EMPTY, ERROR_NO_OFFSET,
                        "empty file: nothing but NUL bytes, as a crash may leave it; " EXPECTED);
    return error_at(err, ERR_EMPTY, ERROR_NO_OFFSET, "empty file: nothing but blanks; " EXPECTED);
}

static err_code not_a_trace(const chrome *c, error *err)
{
    if (c->cut)
        return error_at(err, ERR_NOT_TRACE, (int64_t)input_inflated_bytes(c->in),
                        "cut off before \"traceEvents\"; nothing to read");
    if (c->broken)
        return error_at(err, ERR_JSON, (int64_t)c->broken_offset,
                        "not a JSON trace: %s; no \"traceEvents\" behind it", c->broken);
    if (c->other_key.length)
        return error_at(err, ERR_NOT_TRACE, ERROR_NO_OFFSET,
                        "not a trace: JSON without \"traceEvents\" (its first key is \"%.*s\")",
                        (int)c->other_key.length, c->other_key.at);
    return error_at(err, ERR_NOT_TRACE, ERROR_NO_OFFSET,
                    "not a trace: an empty JSON object, expected \"traceEvents\"");
}

err_code chrome_verdict(const chrome *c, error *err)
{
    if (c->events)
        return ERR_NONE;
    if (c->failure.code) {
        *err = c->failure;
        return err->code;
    }
    if (c->documents == 0)
        return no_document(c, err);
    if (!c->array_root && !c->has_events)
        return not_a_trace(c, err);
    if (c->broken)
        return error_at(err, ERR_JSON, (int64_t)c->broken_offset, "no events: %s", c->broken);
    if (c->cut)
        return error_at(err, ERR_NOT_TRACE, (int64_t)input_inflated_bytes(c->in),
                        "no events: cut off before the first one is complete");
    if (c->objects)
        return error_at(err, ERR_NOT_TRACE, ERROR_NO_OFFSET,
                        "no events: \"traceEvents\" holds metadata only");
    if (c->skipped)
        return error_at(err, ERR_NOT_TRACE, ERROR_NO_OFFSET,
                        "not a trace: an array of things that are not events");
    return error_at(err, ERR_NOT_TRACE, ERROR_NO_OFFSET,
                    c->array_root ? "no events: an empty JSON array"
                                  : "no events: \"traceEvents\" is empty");
}
