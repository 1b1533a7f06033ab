// SPDX-License-Identifier: BSD-3-Clause
// Parsing of the command line.
#include "cli/options.h"

#include "base/text.h"
#include "cli/commands.h"
#include "cli/known_words.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct parser {
    options *o;
    char **next; // argument to be read
    arena *arena;
    const char **known;
    error *err;
} parser;

// Every wrong usage ends here, so that none has an offset.
#define usage(p, ...) error_at((p)->err, ERR_USAGE, ERROR_NO_OFFSET, __VA_ARGS__)

static void word_add(parser *p, word_list *list, const char *word)
{
    arena_reserve_one(p->arena, list->at, list->count, list->capacity);
    list->at[list->count++] = word;
}

static err_code check_word(parser *p, const option_spec *spec, const char *word)
{
    if (!spec->known || word_known(spec->known, word))
        return ERR_NONE;
    *p->known = words_joined(spec->known, p->arena);
    return usage(p, "--%s does not know '%s'", spec->name, word);
}

static err_code take_words(parser *p, const option_spec *spec, word_list *list, const char *value)
{
    while (*value) {
        const size_t length = strcspn(value, ",");
        if (length) {
            const char *word = arena_copy(p->arena, value, length);
            TRY(check_word(p, spec, word));
            word_add(p, list, word);
        }
        value += length + (value[length] == ',');
    }
    return ERR_NONE;
}

static bool parse_number(const char *digits, char **end, int64_t *number)
{
    if (*digits < '0' || *digits > '9')
        return false;
    errno = 0;
    *number = strtoll(digits, end, 10);
    return errno == 0;
}

static err_code take_number(parser *p, const option_spec *spec, int64_t *field, const char *value)
{
    char *end;
    if (!parse_number(value, &end, field) || *end || *field < spec->least)
        return usage(p, "--%s wants a whole number of at least %" PRId64 ", not '%s'", spec->name,
                     spec->least, value);
    return ERR_NONE;
}

static err_code take_ranges(parser *p, const option_spec *spec, range_list *list, const char *value)
{
    const char *at = value;

    for (;;) {
        number_range range;
        char *end;
        if (!parse_number(at, &end, &range.first))
            break;
        range.last = range.first;
        if (*end == '-' && !parse_number(end + 1, &end, &range.last))
            break;
        if (range.last < range.first || (*end && *end != ','))
            break;
        arena_reserve_one(p->arena, list->at, list->count, list->capacity);
        list->at[list->count++] = range;
        if (!*end)
            return ERR_NONE;
        at = end + 1;
    }
    return usage(p, "--%s wants numbers and ranges such as 3-5,8, not '%s'", spec->name, value);
}

static err_code take_value(parser *p, const option_spec *spec, const char *value)
{
    void *field = (char *)p->o + spec->offset;

    switch (spec->kind) {
    case OPTION_FLAG:
        *(bool *)field = true;
        return ERR_NONE;
    case OPTION_WORD:
        *(const char **)field = value;
        return check_word(p, spec, value);
    case OPTION_WORDS:
        return take_words(p, spec, field, value);
    case OPTION_NUMBER:
        return take_number(p, spec, field, value);
    case OPTION_RANGES:
        return take_ranges(p, spec, field, value);
    }
    return ERR_NONE;
}

// `attached` is the value after '=' or behind a letter; NULL: the next argument is.
static err_code take_option(parser *p, const option_spec *spec, const char *attached)
{
    if (spec->kind == OPTION_FLAG)
        return attached ? usage(p, "--%s takes no value", spec->name) : take_value(p, spec, NULL);
    if (!attached && !*p->next)
        return usage(p, "--%s wants a value: %s", spec->name, spec->argument);
    return take_value(p, spec, attached ? attached : *p->next++);
}

static err_code take_long(parser *p, const char *word)
{
    const char *equals = strchr(word, '=');
    const size_t length = equals ? (size_t)(equals - word) : strlen(word);

    for (uint32_t i = 0; i < OPTION_COUNT; i++)
        if (strlen(OPTIONS[i].name) == length && memcmp(OPTIONS[i].name, word, length) == 0)
            return take_option(p, &OPTIONS[i], equals ? equals + 1 : NULL);
    *p->known = words_joined(known_option, p->arena);
    return usage(p, "unknown option '--%.*s'", (int)length, word);
}

static const option_spec *find_letter(char letter)
{
    for (uint32_t i = 0; i < OPTION_COUNT; i++)
        if (OPTIONS[i].letter == letter)
            return &OPTIONS[i];
    return NULL;
}

// "-qv", "-f json" and "-fjson".
static err_code take_letters(parser *p, const char *letters)
{
    for (; *letters; letters++) {
        const option_spec *spec = find_letter(*letters);
        if (!spec) {
            *p->known = words_joined(known_option, p->arena);
            return usage(p, "unknown option '-%c'", *letters);
        }
        if (spec->kind != OPTION_FLAG)
            return take_option(p, spec, letters[1] ? letters + 1 : NULL);
        TRY(take_option(p, spec, NULL));
    }
    return ERR_NONE;
}

// The first word may be a command; a path may be anything.
static void take_plain(parser *p, const char *word)
{
    if (!p->o->command && p->o->paths.count == 0)
        for (const command *c = COMMANDS; c->name; c++)
            if (strcmp(c->name, word) == 0) {
                p->o->command = c;
                return;
            }
    word_add(p, &p->o->paths, word);
}

static err_code take_all(parser *p)
{
    bool plain_only = false;

    while (*p->next) {
        const char *word = *p->next++;
        if (plain_only)
            word_add(p, &p->o->paths, word);
        else if (word[0] != '-' || word[1] == '\0')
            take_plain(p, word);
        else if (strcmp(word, "--") == 0)
            plain_only = true;
        else if (word[1] == '-')
            TRY(take_long(p, word + 2));
        else
            TRY(take_letters(p, word + 1));
    }
    return ERR_NONE;
}

static err_code compile_filter(parser *p)
{
    char why[160];
    if (!p->o->filter)
        return ERR_NONE;

    regex_t *regex = arena_new(p->arena, regex_t, 1);
    const int failed = regcomp(regex, p->o->filter, REG_EXTENDED | REG_NOSUB);
    if (failed) {
        regerror(failed, regex, why, sizeof(why));
        return usage(p, "--filter does not understand '%s': %s", p->o->filter, why);
    }
    p->o->filter_regex = regex;
    return ERR_NONE;
}

static err_code check_column(parser *p, const char *option, const char *key)
{
    if (column_known(p->o, key))
        return ERR_NONE;
    *p->known = columns_joined(p->o, p->arena);
    return usage(p, "--%s does not know a column '%s' in these views", option, key);
}

// A first word that is no path and looks like none was meant as a command.
static bool is_lost_command(const options *o)
{
    return !o->command && o->paths.count && !strpbrk(o->paths.at[0], "/.") &&
           strcmp(o->paths.at[0], "-") != 0 && access(o->paths.at[0], F_OK) != 0;
}

static err_code check(parser *p)
{
    options *o = p->o;

    if (o->help || o->version || o->manual || o->completion)
        return ERR_NONE;
    if (is_lost_command(o)) {
        *p->known = words_joined(known_command, p->arena);
        return usage(p, "'%s' is neither a command nor a path", o->paths.at[0]);
    }
    if (!o->command)
        o->command = &COMMANDS[0];
    if (o->paths.count == 0)
        return usage(p, "no PATH given; --help tells more");
    if (o->sort)
        TRY(check_column(p, "sort", o->sort + (o->sort[0] == '-')));
    for (uint32_t i = 0; i < o->columns.count; i++)
        TRY(check_column(p, "columns", o->columns.at[i]));
    if (o->formats.count > 1 && !o->output)
        return usage(p, "several formats need --output, the base name of their files");
    return compile_filter(p);
}

err_code options_parse(options *o, char **arguments, arena *a, const char **known, error *err)
{
    parser p = {.o = o, .next = arguments, .arena = a, .known = known, .err = err};

    *known = NULL;
    *o = (options){.by = "worker", .color = "auto", .progress = "auto"};
    o->top = o->depth = o->string_bytes = o->inflate_ratio = NUMBER_NONE;
    o->jobs = sysconf(_SC_NPROCESSORS_ONLN);
    TRY(take_all(&p));
    return check(&p);
}

bool ranges_hold(const range_list *ranges, int64_t number)
{
    for (uint32_t i = 0; i < ranges->count; i++)
        if (number >= ranges->at[i].first && number <= ranges->at[i].last)
            return true;
    return false;
}
