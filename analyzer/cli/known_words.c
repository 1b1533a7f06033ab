// SPDX-License-Identifier: BSD-3-Clause
// The words that the command line knows.
#include "cli/known_words.h"

#include "base/text.h"
#include "cli/commands.h"
#include "report/renderer.h"
#include "views/view.h"

#include <string.h>

static const char *listed(const char *const *words, size_t count, uint32_t i)
{
    return i < count ? words[i] : NULL;
}

const char *known_format(uint32_t i)
{
    return RENDERERS[i] ? RENDERERS[i]->name : NULL;
}

const char *known_view(uint32_t i)
{
    if (i == 0)
        return "all";
    return VIEWS[i - 1] ? VIEWS[i - 1]->key : NULL;
}

const char *known_command(uint32_t i)
{
    return COMMANDS[i].name;
}

const char *known_option(uint32_t i)
{
    return i < OPTION_COUNT ? OPTIONS[i].name : NULL;
}

const char *known_by(uint32_t i)
{
    static const char *const WORDS[] = {"worker", "span"};
    return listed(WORDS, ARRAY_LEN(WORDS), i);
}

const char *known_when(uint32_t i)
{
    static const char *const WORDS[] = {"auto", "always", "never"};
    return listed(WORDS, ARRAY_LEN(WORDS), i);
}

const char *known_shell(uint32_t i)
{
    static const char *const WORDS[] = {"bash", "zsh", "fish"};
    return listed(WORDS, ARRAY_LEN(WORDS), i);
}

bool word_known(const char *(*known)(uint32_t), const char *word)
{
    const char *candidate;
    for (uint32_t i = 0; (candidate = known(i)); i++)
        if (strcmp(candidate, word) == 0)
            return true;
    return false;
}

const char *words_joined(const char *(*known)(uint32_t), arena *a)
{
    const char *word, *joined = "";
    for (uint32_t i = 0; (word = known(i)); i++)
        joined = arena_printf(a, "%s%s%s", joined, i ? ", " : "", word);
    return joined;
}

// What is done with each column of the tables of the views shown; true ends it.
typedef bool (*column_visit)(void *self, const char *key);

static bool each_column(const options *o, column_visit visit, void *self)
{
    for (uint32_t v = 0; VIEWS[v]; v++) {
        if (!command_shows(o, VIEWS[v]))
            continue;
        for (uint32_t t = 0; t < VIEWS[v]->shape_count; t++)
            for (uint32_t c = 0; c < VIEWS[v]->shapes[t].column_count; c++)
                if (visit(self, VIEWS[v]->shapes[t].columns[c].key))
                    return true;
    }
    return false;
}

static bool is_key(void *self, const char *key)
{
    return strcmp(self, key) == 0;
}

bool column_known(const options *o, const char *key)
{
    char copy[64];
    const size_t length = strlen(key);

    if (length >= sizeof(copy))
        return false;
    memcpy(copy, key, length + 1);
    return each_column(o, is_key, copy);
}

typedef struct gathering {
    arena *arena;
    word_list words;
} gathering;

static bool gather(void *self, const char *key)
{
    gathering *g = self;

    for (uint32_t i = 0; i < g->words.count; i++)
        if (strcmp(g->words.at[i], key) == 0)
            return false;
    arena_reserve_one(g->arena, g->words.at, g->words.count, g->words.capacity);
    g->words.at[g->words.count++] = key;
    return false;
}

const char *columns_joined(const options *o, arena *a)
{
    gathering g = {.arena = a};
    const char *joined = "";

    each_column(o, gather, &g);
    for (uint32_t i = 0; i < g.words.count; i++)
        joined = arena_printf(a, "%s%s%s", joined, i ? ", " : "", g.words.at[i]);
    return joined;
}
