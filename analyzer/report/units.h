// SPDX-License-Identifier: BSD-3-Clause
// Numbers for people: scaled, with three digits that count and their unit.
#ifndef REPORT_UNITS_H
#define REPORT_UNITS_H

#include "report/table.h"

enum { UNIT_TEXT_BYTES = 48 };

// "24.6 ms", "1.20 s", "512 ns"; of a negative time "-3.00 us". Returns `words`.
const char *unit_time(int64_t ns, char words[UNIT_TEXT_BYTES]);

// "1.50 GB": powers of 1000.
const char *unit_bytes(int64_t bytes, char words[UNIT_TEXT_BYTES]);

// "32.4 %".
const char *unit_ratio(double ratio, char words[UNIT_TEXT_BYTES]);

// "1,234,567".
const char *unit_count(int64_t count, char words[UNIT_TEXT_BYTES]);

// The name, or "(unnamed)" where it is empty.
const char *unit_name(const char *name);

// A value as its column's unit wants it, "-" where it is unknown, "yes" and "no" of a truth. Other
// texts than names come as they are, lists joined by ", ".
const char *unit_cell(const column *c, cell value, arena *a);

#endif
