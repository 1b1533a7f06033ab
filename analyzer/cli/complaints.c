// SPDX-License-Identifier: BSD-3-Clause
// What went wrong with the inputs.
#include "cli/complaints.h"

#include "cli/messages.h"
#include "cli/name_list.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum {
    MOST_LINES = 10, // of one kind without --verbose
    MOST_NAMES = 4,
};

static uint32_t limit(const job *j)
{
    return j->options->verbose ? UINT32_MAX : MOST_LINES;
}

static bool any_readable(const job *j)
{
    for (uint32_t i = 0; i < j->input_count; i++)
        if (j->inputs[i].code == ERR_NONE)
            return true;
    return false;
}

static void tell_failures(const job *j)
{
    for (uint32_t i = 0; i < j->input_count; i++)
        if (j->inputs[i].code != ERR_NONE)
            message_error(&j->inputs[i].failure);
}

// A category or a phase that was cut is one of another kind.
static void tell_cut_texts(const job *j)
{
    const int64_t most = j->options->string_bytes;

    for (uint32_t i = 0; i < j->input_count && most != NUMBER_NONE; i++)
        if (j->inputs[i].code == ERR_NOT_TRACE) {
            message("--max-string %" PRId64 " cuts longer texts, those that tell kinds of events "
                    "too; without it there may be events",
                    most);
            return;
        }
}

static void tell_note(const report_input *in, const report_note *n)
{
    const char *times = n->count == 1 ? "" : " times";
    char count[32] = "", byte[40] = "";

    if (n->count > 1)
        snprintf(count, sizeof(count), " (%" PRId64 "%s)", n->count, times);
    if (n->byte != INT_NONE)
        snprintf(byte, sizeof(byte), "byte %" PRId64 ": ", n->byte);
    if (strcmp(in->status, "partial") == 0 && n->severity[0] == 'e')
        message("%s: %s%s%s; %" PRId64 " events were read", in->path, byte, n->text, count,
                in->events);
    else
        message("%s: %s%s%s", in->path, byte, n->text, count);
}

// Notes about what is missing as a whole have no place in the file; the report itself tells them.
static bool tells(const report_note *n)
{
    return n->severity[0] != 'i' && n->byte != INT_NONE;
}

static void tell_notes(const job *j)
{
    uint32_t told = 0, untold = 0;

    for (uint32_t i = 0; i < j->input_count; i++) {
        const report_input *in = &j->inputs[i].seen;
        for (uint32_t k = 0; k < in->note_count && j->inputs[i].code == ERR_NONE; k++) {
            if (!tells(&in->notes[k]))
                continue;
            if (told < limit(j)) {
                tell_note(in, &in->notes[k]);
                told++;
            } else {
                untold++;
            }
        }
    }
    if (untold)
        message("%u more of the kind; --verbose tells them all", untold);
}

// Why files were left out: one line a reason, with the first names.
static void tell_reason(const job *j, uint32_t first)
{
    const run_listing *l = &j->listing;
    const char *reason = l->ignored[first].reason;
    name_list names = {.most = MOST_NAMES};
    uint32_t count = 0;

    for (uint32_t i = first; i < l->ignored_count; i++) {
        if (strcmp(l->ignored[i].reason, reason) != 0)
            continue;
        count++;
        const char *slash = strrchr(l->ignored[i].path, '/');
        name_list_add(&names, slash ? slash + 1 : l->ignored[i].path);
    }
    if (count == 1)
        message("%s: ignored: %s", l->ignored[first].path, reason);
    else
        message("%u ignored (%s): %s", count, names.text, reason);
}

static bool reason_is_new(const run_listing *l, uint32_t at)
{
    for (uint32_t i = 0; i < at; i++)
        if (strcmp(l->ignored[i].reason, l->ignored[at].reason) == 0)
            return false;
    return true;
}

// Other files in a log directory are no news; what may have been meant as a trace is.
static bool is_news(const run_ignored *ignored)
{
    return strstr(ignored->path, ".json") || strstr(ignored->reason, "link") ||
           strstr(ignored->reason, "permission") || strstr(ignored->reason, "unfinished");
}

static void tell_ignored(const job *j, uint32_t usable)
{
    const run_listing *l = &j->listing;
    const bool searching = !usable && !any_readable(j);

    for (uint32_t i = 0; i < l->ignored_count; i++)
        if (j->options->verbose)
            message("%s: ignored: %s", l->ignored[i].path, l->ignored[i].reason);
        else if ((searching || is_news(&l->ignored[i])) && reason_is_new(l, i))
            tell_reason(j, i);
}

static const char *plural(uint32_t count)
{
    return count == 1 ? "" : "s";
}

static bool rank_told_before(const job *j, uint32_t at)
{
    for (uint32_t i = 0; i < at; i++)
        if (j->inputs[i].seen.rank == j->inputs[at].seen.rank)
            return true;
    return false;
}

static void tell_no_rank(const job *j)
{
    name_list known = {0};

    for (uint32_t i = 0; i < j->input_count; i++) {
        char rank[24];
        if (j->inputs[i].seen.rank < 0 || rank_told_before(j, i))
            continue;
        snprintf(rank, sizeof(rank), "%" PRId64, j->inputs[i].seen.rank);
        name_list_add(&known, rank);
    }
    message("nothing to show: --ranks %s fits no log; %s%s", j->options->ranks.given,
            known.told ? "there are: " : "none tells its rank, --worker takes names", known.text);
}

// Logs were read, and none has what was asked for.
static void tell_none_asked_for(const job *j)
{
    bool any_left = false;

    for (uint32_t i = 0; i < j->unit_count; i++)
        any_left |= !j->units[i].left_out;
    if (j->options->ranks.at && !any_left)
        tell_no_rank(j);
    else
        message("nothing to show: no log has a step of --steps %s; --views overview lists steps",
                j->options->steps.given);
}

static void tell_nothing(const job *j)
{
    const run_listing *l = &j->listing;

    if (any_readable(j)) {
        tell_none_asked_for(j);
        return;
    }
    message("nothing to analyse: looked into %u folder%s, found %u trace file%s "
            "(*.pt.trace.json[.gz]) of which none is usable, and ignored %u other%s",
            l->folder_count, plural(l->folder_count), l->file_count, plural(l->file_count),
            l->ignored_count, plural(l->ignored_count));
    if (l->ignored_count)
        message("a file that is named itself is taken whatever its name");
}

static void tell_no_match(const job *j)
{
    uint64_t matched = 0;
    for (uint32_t i = 0; i < j->unit_count; i++)
        matched += j->units[i].matched;
    if (!matched)
        message("no row's name matches --filter '%s' (a regular expression, case counts)",
                j->options->filter);
}

void complain(const job *j, uint32_t usable)
{
    tell_failures(j);
    tell_cut_texts(j);
    if (!j->options->quiet) {
        if (usable && j->options->filter)
            tell_no_match(j);
        tell_notes(j);
        tell_ignored(j, usable);
    }
    // Paths that cannot be opened have been told of.
    if (!usable && (j->listing.folder_count || j->listing.file_count))
        tell_nothing(j);
}
