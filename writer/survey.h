// SPDX-License-Identifier: BSD-3-Clause
// What the first looks at captures counted, over the life of the process.
#ifndef WRITER_SURVEY_H
#define WRITER_SURVEY_H

#include <stdint.h>

void tp_survey_totals(uint64_t *events, uint64_t *cut);

#endif
