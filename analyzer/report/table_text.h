// SPDX-License-Identifier: BSD-3-Clause
// Tables as aligned text.
#ifndef REPORT_TABLE_TEXT_H
#define REPORT_TABLE_TEXT_H

#include "report/report.h"

#include "out/sink.h"

// Writes the first `rows` rows of `t`, its heading, and how many more there are. Columns that are
// quiet, or empty in all rows shown, are left out.
void table_text(tp_sink *out, const table *t, uint32_t rows, const report_style *style);

#endif
