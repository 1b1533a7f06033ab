// SPDX-License-Identifier: BSD-3-Clause
// Prints what the reader hands on, one line a record: to compare variants, and to look at traces.
// Usage: dump_records [-s SCANNER] [-b] [-q] FILE...   (-b: inflate in the background, -q: count
// only)
#include "read/read_chrome.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

typedef struct dump {
    bool quiet;
    uint64_t records, metadata, notes;
} dump;

static void put_text(const char *name, uint32_t set, text t)
{
    if (set)
        printf(" %s=<%.*s>", name, (int)t.length, t.at);
}

static void put_whole(const char *name, uint32_t set, int64_t value)
{
    if (set)
        printf(" %s=%" PRId64, name, value);
}

static void put_triple(const char *name, uint32_t set, const int32_t *three)
{
    if (set)
        printf(" %s=%" PRId32 ",%" PRId32 ",%" PRId32, name, three[0], three[1], three[2]);
}

static void put_real(const char *name, uint32_t set, double value)
{
    if (set)
        printf(" %s=%.17g", name, value);
}

static void put_args(const record *r)
{
    put_text("correlation", r->fields & FIELD_CORRELATION, r->correlation);
    put_text("external", r->fields & FIELD_EXTERNAL, r->external);
    put_text("device", r->fields & FIELD_DEVICE, r->device);
    put_text("stream", r->fields & FIELD_STREAM, r->stream);
    put_text("shapes", r->fields & FIELD_SHAPES, r->shapes);
    put_text("types", r->fields & FIELD_TYPES, r->types);
    put_text("stack", r->fields & FIELD_STACK, r->stack);
    put_text("arg_name", r->fields & FIELD_ARG_NAME, r->arg_name);
    put_whole("sequence", r->fields & FIELD_SEQUENCE, r->sequence);
    put_whole("fwd_thread", r->fields & FIELD_FWD_THREAD, r->fwd_thread);
    put_whole("module_id", r->fields & FIELD_MODULE_ID, r->module_id);
    put_whole("registers", r->fields & FIELD_REGISTERS, r->registers);
    put_whole("shared", r->fields & FIELD_SHARED, r->shared_bytes);
    put_whole("bytes", r->fields & FIELD_BYTES, r->bytes);
    put_triple("grid", r->fields & FIELD_GRID, r->grid);
    put_triple("block", r->fields & FIELD_BLOCK, r->block);
    put_real("blocks_per_sm", r->fields & FIELD_BLOCKS_SM, r->blocks_per_sm);
    put_real("occupancy", r->fields & FIELD_OCCUPANCY, r->occupancy_percent);
}

static void put_event(void *self, const record *r)
{
    dump *d = self;

    d->records++;
    if (d->quiet)
        return;
    printf("@%" PRIu64 " ph=%c", r->offset, r->phase ? r->phase : '-');
    put_text("name", r->fields & FIELD_NAME, r->name);
    put_text("cat", r->fields & FIELD_CATEGORY, r->category);
    put_text("pid", r->fields & FIELD_PROCESS, r->process);
    put_text("tid", r->fields & FIELD_THREAD, r->thread);
    put_whole("ts", r->fields & FIELD_TIME, r->time_ns);
    put_whole("dur", r->fields & FIELD_DURATION, r->duration_ns);
    put_text("id", r->fields & FIELD_FLOW_ID, r->flow_id);
    put_args(r);
    putchar('\n');
}

static void put_metadata(void *self, text key, text raw)
{
    dump *d = self;

    d->metadata++;
    if (!d->quiet)
        printf("metadata %.*s: %.*s\n", (int)key.length, key.at, (int)raw.length, raw.at);
}

static void put_note(void *self, const char *code, note_severity severity, uint64_t offset,
                     const char *what)
{
    dump *d = self;

    d->notes++;
    if (!d->quiet)
        printf("note %s (%d) at %" PRIu64 ": %s\n", code, (int)severity, offset, what);
}

static bool dump_file(const char *path, const read_limits *limits, bool background, bool quiet)
{
    dump d = {.quiet = quiet};
    const record_visitor visitor = {&d, put_event, put_metadata, put_note};
    error err = {.offset = ERROR_NO_OFFSET};
    char line[512];
    input *in;

    err_code failed = input_open(path, limits, background, &in, &err);
    if (!failed)
        failed = read_chrome(in, limits, &visitor, &err);
    if (failed)
        printf("error %d: %s\n", (int)failed, error_line(&err, line, sizeof(line)));
    printf("%" PRIu64 " records, %" PRIu64 " metadata, %" PRIu64 " notes\n", d.records, d.metadata,
           d.notes);
    input_close(in);
    return !failed;
}

int main(int argc, char **argv)
{
    read_limits limits = {0};
    bool background = false, quiet = false, good = true;
    int option;

    while ((option = getopt(argc, argv, "s:abpqw:")) != -1) {
        if (option == 's')
            limits.scanner = optarg;
        if (option == 'w')
            limits.window_bytes = (uint32_t)atoi(optarg);
        if (option == 'a')
            limits.ahead = AHEAD_ALWAYS;
        limits.plain_scan |= option == 'p';
        background |= option == 'b';
        quiet |= option == 'q';
    }
    for (int i = optind; i < argc; i++)
        good &= dump_file(argv[i], &limits, background, quiet);
    return good ? 0 : 1;
}
