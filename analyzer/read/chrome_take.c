// SPDX-License-Identifier: BSD-3-Clause
// Values -> fields of a record.
#include "read/chrome.h"

#include "read/decimal.h"
#include "read/json_copy.h"
#include "read/utf8.h"

static void *field_at(chrome *c, const chrome_field *field)
{
    return (char *)&c->record + field->offset;
}

static void note_value(const chrome *c, const json_token *value, const char *code, const char *what)
{
    json_note(&c->json, value->raw.at, NOTE_WARNING, code, what);
}

static bool take_phase(chrome *c, const json_token *value)
{
    if (value->kind != JSON_STRING || value->raw.length == 0)
        return false;
    c->record.phase = json_decode(value, &c->scratch).at[0];
    return true;
}

// Cuts what is too long, between two characters.
static text within_limit(const chrome *c, const json_token *value, text t)
{
    if (t.length <= c->string_max)
        return t;
    note_value(c, value, "long_string", "a string beyond the limit was cut (see --max-string)");
    t.length = c->string_max;
    while (t.length && ((unsigned char)t.at[t.length] & 0xc0) == 0x80)
        t.length--;
    return t;
}

static bool take_text(chrome *c, const chrome_field *field, const json_token *value)
{
    if (value->kind != JSON_STRING && value->kind != JSON_NUMBER)
        return false;
    const text decoded = value->kind == JSON_STRING ? json_decode(value, &c->scratch) : value->raw;
    *(text *)field_at(c, field) = within_limit(c, value, decoded);
    return true;
}

static bool take_time(chrome *c, const chrome_field *field, const json_token *value)
{
    if (value->kind != JSON_STRING && value->kind != JSON_NUMBER)
        return false;
    const decimal_status status = decimal_parse(value->raw, 3, field_at(c, field));
    if (status == DECIMAL_BAD)
        note_value(c, value, "unreadable_time", "a time that is not a number");
    if (status == DECIMAL_CLAMPED)
        note_value(c, value, "time_out_of_range",
                   "a time or duration beyond 292 years: no clock shows it");
    return status != DECIMAL_BAD;
}

static bool take_whole(chrome *c, const chrome_field *field, const json_token *value)
{
    return (value->kind == JSON_STRING || value->kind == JSON_NUMBER) &&
           decimal_parse(value->raw, 0, field_at(c, field)) != DECIMAL_BAD;
}

static bool take_real(chrome *c, const chrome_field *field, const json_token *value)
{
    return (value->kind == JSON_STRING || value->kind == JSON_NUMBER) &&
           decimal_real(value->raw, field_at(c, field));
}

static bool take_raw(chrome *c, const chrome_field *field, const json_token *value)
{
    if (value->kind != JSON_ARRAY)
        return false;
    if (json_copy(value, c->json.doubtful, &c->scratch, field_at(c, field)))
        return true;
    note_value(c, value, "unreadable_value", "a list that cannot be understood");
    return false;
}

static bool take_triple(chrome *c, const chrome_field *field, const json_token *value)
{
    int32_t *three = field_at(c, field);
    json_reader r;

    if (value->kind != JSON_ARRAY)
        return false;
    json_begin(&r, value->raw, NULL);
    json_next(&r);
    for (int i = 0; i < 3; i++) {
        const json_token item = json_next(&r);
        int64_t number;
        if (item.kind != JSON_NUMBER || decimal_parse(item.raw, 0, &number) == DECIMAL_BAD)
            return false;
        three[i] = number > INT32_MAX   ? INT32_MAX
                   : number < INT32_MIN ? INT32_MIN
                                        : (int32_t)number;
    }
    return json_next(&r).kind == JSON_ARRAY_END;
}

static bool take(chrome *c, const chrome_field *field, const json_token *value)
{
    switch (field->kind) {
    case TAKE_PHASE:
        return take_phase(c, value);
    case TAKE_TEXT:
        return take_text(c, field, value);
    case TAKE_TIME:
        return take_time(c, field, value);
    case TAKE_WHOLE:
        return take_whole(c, field, value);
    case TAKE_REAL:
        return take_real(c, field, value);
    case TAKE_RAW:
        return take_raw(c, field, value);
    case TAKE_TRIPLE:
        return take_triple(c, field, value);
    case TAKE_NOTHING:
    case TAKE_ARGS:
        break;
    }
    return false;
}

void chrome_take(chrome *c, chrome_key key, const json_token *value)
{
    const chrome_field *field = &CHROME_FIELDS[key];

    if (c->record.fields & field->bit)
        json_note(&c->json, value->raw.at, NOTE_INFO, "duplicate_key",
                  "a key stands twice in an event; the last one counts");
    c->record.fields &= ~field->bit;
    c->record.lane_token = c->record.category_token = 0;
    if (take(c, field, value))
        c->record.fields |= field->bit;
    else if (field->kind == TAKE_TEXT || field->kind == TAKE_RAW)
        ((text *)field_at(c, field))->length = 0;
    else if (field->kind == TAKE_TIME)
        *(int64_t *)field_at(c, field) = 0;
}

void chrome_commit(chrome *c)
{
    const record_visitor *v = c->visitor;

    for (uint32_t i = 0; v->note && i < c->note_count; i++)
        v->note(v->self, c->notes[i].code, c->notes[i].severity, c->notes[i].offset,
                c->notes[i].what);
    c->note_count = 0;
    scratch_reset(&c->scratch);
}

void chrome_note_now(chrome *c, const char *at, note_severity severity, const char *code,
                     const char *what)
{
    json_note(&c->json, at, severity, code, what);
    chrome_commit(c);
}

void chrome_skip_element(chrome *c, const char *what)
{
    c->skipped++;
    c->gap_plain = false;
    json_note(&c->json, c->mark.at, NOTE_WARNING, "skipped_element", what);
}

void chrome_event_end(chrome *c)
{
    if (c->record.fields)
        chrome_hand_on(c);
    else
        chrome_skip_element(c, "an element of the events has no field of use");
    if (c->note_count)
        chrome_commit(c);
    scratch_reset(&c->scratch);
    c->json.doubtful = false;
}
