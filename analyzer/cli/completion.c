// SPDX-License-Identifier: BSD-3-Clause
// Completions for shells.
#include "cli/help.h"

#include "cli/commands.h"

#include <string.h>

static void print_words(FILE *out, const char *(*known)(uint32_t), const char *separator)
{
    const char *word;
    for (uint32_t i = 0; (word = known(i)); i++)
        fprintf(out, "%s%s", i ? separator : "", word);
}

static void print_bash(FILE *out)
{
    fputs("_tprof_analyze()\n{\n"
          "    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]}\n"
          "    case $before in\n",
          out);
    for (uint32_t i = 0; i < OPTION_COUNT; i++) {
        if (!OPTIONS[i].known)
            continue;
        fprintf(out, "    --%s", OPTIONS[i].name);
        if (OPTIONS[i].letter)
            fprintf(out, "|-%c", OPTIONS[i].letter);
        fputs(") COMPREPLY=($(compgen -W '", out);
        print_words(out, OPTIONS[i].known, " ");
        fputs("' -- \"$word\")); return;;\n", out);
    }
    fputs("    esac\n    case $word in\n    -*) COMPREPLY=($(compgen -W '", out);
    for (uint32_t i = 0; i < OPTION_COUNT; i++)
        fprintf(out, "%s--%s", i ? " " : "", OPTIONS[i].name);
    fputs("' -- \"$word\"));;\n    *) COMPREPLY=($(compgen -f -W '", out);
    for (const command *c = COMMANDS; c->name; c++)
        fprintf(out, "%s%s", c == COMMANDS ? "" : " ", c->name);
    fputs("' -- \"$word\"));;\n    esac\n}\n"
          "complete -o filenames -F _tprof_analyze tprof-analyze\n",
          out);
}

// Text inside single quotes, where zsh takes brackets and colons for itself.
static void print_quoted(FILE *out, const char *words)
{
    for (; *words; words++) {
        if (strchr("[]:\\", *words))
            fputc('\\', out);
        if (*words == '\'')
            fputs("'\\'", out);
        fputc(*words, out);
    }
}

static void print_zsh(FILE *out)
{
    fputs("#compdef tprof-analyze\n_arguments \\\n", out);
    for (uint32_t i = 0; i < OPTION_COUNT; i++) {
        const option_spec *spec = &OPTIONS[i];
        fprintf(out, "  '--%s%s[", spec->name, spec->argument ? "=" : "");
        print_quoted(out, spec->help);
        fputs("]", out);
        if (spec->argument) {
            fputs(":", out);
            print_quoted(out, spec->argument);
            fputs(":", out);
        }
        if (spec->known) {
            fputs("(", out);
            print_words(out, spec->known, " ");
            fputs(")", out);
        }
        fputs("' \\\n", out);
    }
    fputs("  '*:path:_files'\n", out);
}

static void print_fish(FILE *out)
{
    for (const command *c = COMMANDS; c->name; c++)
        fprintf(out, "complete -c tprof-analyze -n __fish_use_subcommand -a %s -d '%s'\n", c->name,
                c->summary);
    for (uint32_t i = 0; i < OPTION_COUNT; i++) {
        const option_spec *spec = &OPTIONS[i];
        fprintf(out, "complete -c tprof-analyze -l %s", spec->name);
        if (spec->letter)
            fprintf(out, " -s %c", spec->letter);
        if (spec->known) {
            fputs(" -x -a '", out);
            print_words(out, spec->known, " ");
            fputs("'", out);
        } else if (spec->argument) {
            fputs(" -r", out);
        }
        fprintf(out, " -d '%s'\n", spec->help);
    }
}

void completion_print(const char *shell, FILE *out)
{
    if (strcmp(shell, "bash") == 0)
        print_bash(out);
    else if (strcmp(shell, "zsh") == 0)
        print_zsh(out);
    else
        print_fish(out);
}
