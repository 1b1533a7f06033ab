// SPDX-License-Identifier: BSD-3-Clause
// Paths -> inputs -> workers.
#include "cli/job.h"

#include "cli/messages.h"
#include "cli/name_list.h"
#include "cli/run_names.h"

#include <fnmatch.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

static void list_paths(job *j)
{
    const options *o = j->options;

    for (uint32_t i = 0; i < o->paths.count; i++) {
        error err = {0};
        if (run_listing_add(&j->listing, j->arena, o->paths.at[i], &err) == ERR_NONE)
            continue;
        message_error(&err);
        j->unopened++;
    }
    run_listing_sort(&j->listing);
    run_names_part(&j->listing, j->arena);
}

static bool fits(const char *pattern, const char *name)
{
    return !pattern || fnmatch(pattern, name, 0) == 0;
}

static int64_t stored_size(const char *path)
{
    struct stat status;
    return strcmp(path, "-") != 0 && stat(path, &status) == 0 ? (int64_t)status.st_size : -1;
}

static void take_inputs(job *j)
{
    j->inputs = arena_new(j->arena, job_input, j->listing.file_count);
    for (uint32_t i = 0; i < j->listing.file_count; i++) {
        const run_file *file = &j->listing.files[i];
        if (!fits(j->options->worker, file->worker) || !fits(j->options->span, file->span))
            continue;
        j->inputs[j->input_count++] = (job_input){.file = *file, .size = stored_size(file->path)};
    }
}

static bool same_worker(const run_file *x, const run_file *y)
{
    return strcmp(x->run, y->run) == 0 && strcmp(x->worker, y->worker) == 0;
}

static void group_units(job *j)
{
    j->units = arena_new(j->arena, job_unit, j->input_count);
    for (uint32_t i = 0; i < j->input_count; i++) {
        if (i == 0 || !same_worker(&j->inputs[i - 1].file, &j->inputs[i].file))
            j->units[j->unit_count++].first = i;
        j->units[j->unit_count - 1].count++;
    }
    for (uint32_t i = 0; i < j->unit_count; i++)
        atomic_init(&j->units[i].unread, j->units[i].count);
}

// Names that were listed already, so that each is told once.
static bool told_already(const job *j, bool by_worker, uint32_t at, const char *name)
{
    for (uint32_t i = 0; i < at; i++) {
        const run_file *file = &j->listing.files[i];
        if (strcmp(by_worker ? file->worker : file->span, name) == 0 &&
            (by_worker || fits(j->options->worker, file->worker)))
            return true;
    }
    return false;
}

// "--span 'x' fits no log; there are: a, b, c, ...". Where --worker fits some, --span is to blame.
static err_code nothing_fits(const job *j, error *err)
{
    const options *o = j->options;
    bool by_worker = o->worker != NULL;
    name_list known = {0};

    for (uint32_t i = 0; i < j->listing.file_count; i++)
        by_worker = by_worker && !fits(o->worker, j->listing.files[i].worker);
    for (uint32_t i = 0; i < j->listing.file_count; i++) {
        const run_file *file = &j->listing.files[i];
        const char *name = by_worker ? file->worker : file->span;
        if ((by_worker || fits(o->worker, file->worker)) && !told_already(j, by_worker, i, name))
            name_list_add(&known, name);
    }
    return error_at(err, ERR_USAGE, ERROR_NO_OFFSET, "--%s '%s' fits no log; there are: %s",
                    by_worker ? "worker" : "span", by_worker ? o->worker : o->span, known.text);
}

err_code job_gather(job *j, error *err)
{
    list_paths(j);
    take_inputs(j);
    if (j->input_count == 0 && j->listing.file_count)
        return nothing_fits(j, err);
    group_units(j);
    return ERR_NONE;
}

bool job_by_span(const job *j)
{
    return strcmp(j->options->by, "span") == 0;
}

uint32_t job_blocks_shown(const job *j)
{
    const options *o = j->options;

    if (j->style.detail == DETAIL_TABLE)
        return 0;
    return o->worker || o->span || o->ranks.at ? UINT32_MAX : VIEW_BLOCKS;
}

int64_t rank_in_name(const char *name)
{
    int64_t rank = -1;

    for (const char *s = name; *s; s++) {
        if (strncasecmp(s, "rank", 4) != 0)
            continue;
        const char *digits = s + 4 + (s[4] == '_' || s[4] == '-');
        if (*digits < '0' || *digits > '9')
            continue;
        rank = 0;
        for (; *digits >= '0' && *digits <= '9' && rank <= INT_MAX; digits++)
            rank = rank * 10 + (*digits - '0');
    }
    return rank <= INT_MAX ? rank : -1;
}
