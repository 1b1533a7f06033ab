// SPDX-License-Identifier: BSD-3-Clause
// Small values out of the raw JSON of metadata, which the reader keeps as text. Total: what is not
// what was asked for gives nothing.
#ifndef MODEL_JSON_SLICE_H
#define MODEL_JSON_SLICE_H

#include "base/arena.h"
#include "base/text.h"

#include <stdint.h>

// What stands between the brackets of an object or array; empty for anything else.
text json_inside(text raw);

// Takes the next member or element off `inside`; false at the end. A key is as written, without its
// quotes; a value is raw.
bool json_next_member(text *inside, text *key, text *value);
bool json_next_element(text *inside, text *value);

// The member `key` of a raw object, or an empty text.
text json_member(text raw, const char *key);

// A whole number, whether written as one or as 132.0 or 8.5e10, or a string that holds one. False:
// something else, or beyond int64; *value stays.
bool json_integer(text raw, int64_t *value);

// A string's text with its escapes resolved: a slice of `raw` where there are none, else in the
// arena. Of another value its raw text.
text json_text(text raw, arena *a);

#endif
