// SPDX-License-Identifier: BSD-3-Clause
// Text as a terminal shows it: made safe to print, measured in cells, cut at whole characters.
#ifndef REPORT_SCREEN_TEXT_H
#define REPORT_SCREEN_TEXT_H

#include "base/arena.h"

#include <stdbool.h>
#include <stddef.h>

// `string` without what could steer a terminal: control and direction characters stand as escapes
// ("\n", "\x1b", "\u202e"), bytes that are not UTF-8 as U+FFFD. Returns `string` itself where
// nothing had to change.
const char *screen_safe(const char *string, arena *a);

// Cells that safe UTF-8 takes: East Asian wide characters and emoji two, combining marks none.
int screen_width(const char *string);

// Bytes of the longest head of at most `width` cells.
size_t screen_head(const char *string, int width);

// At most `width` cells of safe UTF-8, with "…" in place of what was cut from the middle (names of
// kernels differ at both ends). `width` is at least 1.
const char *screen_cut(const char *string, int width, arena *a);

#endif
