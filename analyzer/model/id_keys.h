// SPDX-License-Identifier: BSD-3-Clause
// Ids as they stand in traces -> 32-bit keys.
#ifndef MODEL_ID_KEYS_H
#define MODEL_ID_KEYS_H

#include "model/strings.h"

#define ID_KEY_ODD (UINT32_C(1) << 31) // the first key of an id that is not its own

// Starts as {.odd = {.arena = a}}.
typedef struct id_keys {
    strings odd; // ids that are not their own keys; the key is ID_KEY_ODD + string id
} id_keys;

// Equal texts have equal keys, others have others: a number below 2^31 is its own, as far as it is
// written as such; whatever else an id looks like, it is numbered from there on.
uint32_t id_keys_of(id_keys *k, text id);

#endif
