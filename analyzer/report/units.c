// SPDX-License-Identifier: BSD-3-Clause
// Numbers for people.
#include "report/units.h"

#include "base/text.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

// Three digits that count; whole where the number is larger.
static int decimals_for(double magnitude)
{
    return magnitude < 9.995 ? 2 : magnitude < 99.95 ? 1 : 0;
}

// `value` of the first unit, in the unit that leaves it below 1000. The last unit takes the rest.
static const char *scaled(double value, const char *const *units, size_t count, char *words)
{
    size_t unit = 0;
    while (unit + 1 < count && fabs(value) >= 999.5) {
        value /= 1000;
        unit++;
    }
    const int decimals = unit == 0 ? 0 : decimals_for(fabs(value));
    snprintf(words, UNIT_TEXT_BYTES, "%.*f %s", decimals, value, units[unit]);
    return words;
}

const char *unit_time(int64_t ns, char words[UNIT_TEXT_BYTES])
{
    static const char *const UNITS[] = {"ns", "us", "ms", "s"};
    return scaled((double)ns, UNITS, ARRAY_LEN(UNITS), words);
}

const char *unit_bytes(int64_t bytes, char words[UNIT_TEXT_BYTES])
{
    static const char *const UNITS[] = {"B", "KB", "MB", "GB", "TB"};
    return scaled((double)bytes, UNITS, ARRAY_LEN(UNITS), words);
}

const char *unit_ratio(double ratio, char words[UNIT_TEXT_BYTES])
{
    snprintf(words, UNIT_TEXT_BYTES, "%.1f %%", ratio * 100);
    return words;
}

const char *unit_count(int64_t count, char words[UNIT_TEXT_BYTES])
{
    char digits[32];
    const int length = snprintf(digits, sizeof(digits), "%" PRId64, count);
    const int sign = count < 0;
    char *to = words;

    for (int i = 0; i < length; i++) {
        if (i > sign && (length - i) % 3 == 0)
            *to++ = ',';
        *to++ = digits[i];
    }
    *to = '\0';
    return words;
}

const char *unit_name(const char *name)
{
    return *name ? name : "(unnamed)";
}

static const char *number(double value, char words[UNIT_TEXT_BYTES])
{
    snprintf(words, UNIT_TEXT_BYTES, "%.*f", decimals_for(fabs(value)), value);
    return words;
}

static const char *joined(text_list list, arena *a)
{
    const char *words = "";
    for (uint32_t i = 0; i < list.count; i++)
        words = arena_printf(a, "%s%s%s", words, i ? ", " : "", list.at[i]);
    return list.count ? words : "-";
}

static const char *integer_cell(value_unit unit, int64_t value, char *words)
{
    if (unit == UNIT_NS || unit == UNIT_TIME)
        return unit_time(value, words);
    return unit == UNIT_BYTES ? unit_bytes(value, words) : unit_count(value, words);
}

const char *unit_cell(const column *c, cell value, arena *a)
{
    char *words;

    if (!value.known)
        return "-";
    switch (value.store) {
    case STORE_TEXT:
        return c->unit == UNIT_NAME ? unit_name(value.text) : value.text;
    case STORE_TRISTATE:
        return value.truth ? "yes" : "no";
    case STORE_TEXTS:
        return joined(value.texts, a);
    case STORE_INT:
        words = arena_new(a, char, UNIT_TEXT_BYTES);
        return integer_cell(c->unit, value.integer, words);
    case STORE_REAL:
        words = arena_new(a, char, UNIT_TEXT_BYTES);
        return c->unit == UNIT_RATIO ? unit_ratio(value.real, words) : number(value.real, words);
    }
    return "-";
}
