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

static bool word_listed(const word_list *list, const char *word)
{
    for (uint32_t i = 0; i < list->count; i++)
        if (strcmp(list->at[i], word) == 0)
            return true;
    return false;
}

// `given` is what stands in the value's place; NULL: nothing does.
static err_code lacks_value(parser *p, const option_spec *spec, const char *given)
{
    const char *what = given ? arena_printf(p->arena, ", not '%s'", given) : "";
    if (spec->known)
        *p->known = words_joined(spec->known, p->arena);
    return usage(p, "--%s wants a value: %s%s%s", spec->name, spec->argument, what,
                 spec->known ? "" : "; --help tells more");
}

static err_code check_word(parser *p, const option_spec *spec, const char *word)
{
    if (!spec->known || word_known(spec->known, word))
        return ERR_NONE;
    *p->known = words_joined(spec->known, p->arena);
    return usage(p, "--%s does not know '%s'", spec->name, word);
}

// A word that is given twice stands once.
static err_code take_words(parser *p, const option_spec *spec, word_list *list, const char *value)
{
    if (value[strspn(value, ",")] == '\0')
        return lacks_value(p, spec, value);
    while (*value) {
        const size_t length = strcspn(value, ",");
        if (length) {
            const char *word = arena_copy(p->arena, value, length);
            TRY(check_word(p, spec, word));
            if (!word_listed(list, word))
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
    if (!parse_number(value, &end, field) || *end || *field < spec->least || *field > spec->most)
        return usage(p, "--%s wants a whole number from %" PRId64 " to %" PRId64 ", not '%s'",
                     spec->name, spec->least, spec->most, value);
    return ERR_NONE;
}

static err_code take_ranges(parser *p, const option_spec *spec, range_list *list, const char *value)
{
    const char *at = value;

    list->given = list->given ? arena_printf(p->arena, "%s,%s", list->given, value) : value;
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
    return usage(p, "--%s wants numbers and ranges such as 3-5,8, the smaller end first, not '%s'",
                 spec->name, value);
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
    const char *value = attached ? attached : *p->next;
    if (!value || !*value)
        return lacks_value(p, spec, value);
    p->next += !attached;
    return take_value(p, spec, value);
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

// Standard input can be read but once.
static err_code take_path(parser *p, const char *word)
{
    word_list *paths = &p->o->paths;

    if (!*word)
        return usage(p, "a PATH is empty: name a log directory, a trace file, or - for standard "
                        "input");
    if (strcmp(word, "-") != 0 || !word_listed(paths, word))
        word_add(p, paths, word);
    return ERR_NONE;
}

// The first word may be a command; a path may be anything.
static err_code take_plain(parser *p, const char *word)
{
    if (!p->o->command && p->o->paths.count == 0)
        for (const command *c = COMMANDS; c->name; c++)
            if (strcmp(c->name, word) == 0) {
                p->o->command = c;
                return ERR_NONE;
            }
    return take_path(p, word);
}

static err_code take_all(parser *p)
{
    bool plain_only = false;

    while (*p->next) {
        const char *word = *p->next++;
        if (plain_only)
            TRY(take_path(p, word));
        else if (word[0] != '-' || word[1] == '\0')
            TRY(take_plain(p, word));
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

static err_code check_output(parser *p)
{
    const options *o = p->o;

    if (o->formats.count > 1 && !o->output)
        return usage(p, "several formats need --output, the base name of their files");
    if (o->formats.count > 1 && strcmp(o->output, "-") == 0)
        return usage(p, "--output - takes one format; several need the base name of their files");
    return ERR_NONE;
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
    if (o->command->views && o->views.count)
        return usage(p, "%s shows the view %s alone; --views goes with %s", o->command->name,
                     o->command->views, COMMANDS[0].name);
    if (o->sort)
        TRY(check_column(p, "sort", o->sort + (o->sort[0] == '-')));
    for (uint32_t i = 0; i < o->columns.count; i++)
        TRY(check_column(p, "columns", o->columns.at[i]));
    TRY(check_output(p));
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
