// SPDX-License-Identifier: BSD-3-Clause
// Pull tokenizer for JSON as real writers make it: the plain variant.
#include "read/json_token.h"

#include "read/scan_scalar.h"

#include "read/json_step.h"

void json_begin(json_reader *r, text t, const record_visitor *visitor)
{
    *r = (json_reader){.at = t.at,
                       .end = t.at + t.length,
                       .end_offset = t.length,
                       .last = true,
                       .depth_max = JSON_DEPTH_MAX,
                       .visitor = visitor};
}

json_token json_next(json_reader *r)
{
    return json_step(r);
}

json_token json_next_whole(json_reader *r)
{
    return json_step_over(r);
}

void json_note(const json_reader *r, const char *at, note_severity severity, const char *code,
               const char *what)
{
    if (r->visitor && r->visitor->note)
        r->visitor->note(r->visitor->self, code, severity, json_offset(r, at), what);
}

json_kind json_word_kind(text t)
{
    static const text KNOWN[] = {TEXT_INIT("NaN"),      TEXT_INIT("nan"), TEXT_INIT("Infinity"),
                                 TEXT_INIT("inf"),      TEXT_INIT("N/A"), TEXT_INIT("None"),
                                 TEXT_INIT("undefined")};

    if (text_equal(t, TEXT("null")))
        return JSON_NULL;
    if (text_equal(t, TEXT("true")))
        return JSON_TRUE;
    if (text_equal(t, TEXT("false")))
        return JSON_FALSE;
    // A sign may stand before them, and before a number that JSON does not allow.
    if (t.length > 1 && (*t.at == '-' || *t.at == '+'))
        t = (text){t.at + 1, t.length - 1};
    for (size_t i = 0; i < ARRAY_LEN(KNOWN); i++)
        if (t.length == KNOWN[i].length && strncasecmp(t.at, KNOWN[i].at, t.length) == 0)
            return JSON_WORD;
    return t.length && (json_is_digit(*t.at) || *t.at == '.') ? JSON_NUMBER : JSON_ERROR;
}
