// SPDX-License-Identifier: BSD-3-Clause
// Input shapes as a person and the TensorBoard plugin write them: a list as Python prints it.
#ifndef ANALYZE_SHAPE_TEXT_H
#define ANALYZE_SHAPE_TEXT_H

#include "base/arena.h"
#include "base/text.h"

// "[[32,3],[],"N/A"]" -> "[[32, 3], [], 'N/A']". `json` is a JSON value without white space outside
// strings; a text of length 0 stands for no shapes, "[]". Numbers stand as written. Broken JSON
// gives some text, never a failure.
text shape_text(text json, arena *a);

#endif
