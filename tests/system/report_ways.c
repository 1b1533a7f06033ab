// SPDX-License-Identifier: BSD-3-Clause
// The fast ways to read a trace give the report that the plain one gives, to the byte.
// Usage: report_ways FOLDER...     Exit status 77, with the reason, where no trace is in them.
//
// Each trace is read byte by byte by the scalar scanner, which is the reference, then with vectors,
// with learned gaps, as people get it, by two threads, and by two of which one always reads ahead;
// and, as a plain file long enough for two halves, by one thread and by two. The same for one trace
// with garbage behind it, before which readers stop.
#include "support/json_report.h"
#include "support/temp_dir.h"

#include "base/text.h"

#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

enum {
    SKIPPED = 77,
    MOST_STORED_BYTES = 20000000,
    HALVED_BYTES = 4200000,      // from about there on a plain file is read in halves
    FIRST_WINDOW_BYTES = 500000, // what any reader has at hand at first, at least
    GARBAGE_BYTES = 3000000,     // more than it ever has
    SHOWN_BYTES = 60,
};

static const report_way WAYS[] = {
    {"the plain scalar scanner",  {.plain_scan = true, .scanner = "scalar"}, "1"},
    {"no learned gaps",           {.plain_scan = true},                      "1"},
    {"the scalar scanner",        {.scanner = "scalar"},                     "1"},
    {"the defaults",              {0},                                       "1"},
    {"two threads, as stored",    {0},                                       "2"},
    {"two threads, always ahead",
     {.ahead = AHEAD_ALWAYS, .gap_values = 64, .window_bytes = 50000},
     "2"                                                                        },
};
static const report_way PLAIN_WAYS[] = {
    {"one thread",  {0}, "1"},
    {"two threads", {0}, "2"},
};

// ---- Which files

static char **paths;
static size_t path_count;

// Tables of torch's own and what else was measured lie beside its traces.
static bool may_be_trace(const char *name)
{
    static const char *const OTHERS[] = {"key_averages", "by_shape", "truth.json"};

    for (size_t i = 0; i < ARRAY_LEN(OTHERS); i++)
        if (strstr(name, OTHERS[i]))
            return false;
    return strstr(name, ".json") != NULL;
}

static int take_path(const char *path, const struct stat *info, int kind, struct FTW *where)
{
    if (kind != FTW_F || info->st_size > MOST_STORED_BYTES || !may_be_trace(path + where->base))
        return 0;
    char **more = realloc(paths, (path_count + 1) * sizeof(*paths));
    if (!more || !(more[path_count] = strdup(path)))
        return 1;
    paths = more;
    path_count++;
    return 0;
}

static int by_text(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

// ---- A plain copy

// The inflated bytes, to be freed; NULL where they cannot be had.
static char *inflated(const char *path, size_t *size)
{
    size_t capacity = 1 << 20, used = 0;
    char *bytes = malloc(capacity);
    const gzFile file = gzopen(path, "rb");
    int got = 0;

    while (bytes && file && (got = gzread(file, bytes + used, (unsigned)(capacity - used))) > 0) {
        used += (size_t)got;
        if (used < capacity)
            continue;
        char *more = realloc(bytes, capacity *= 2);
        if (!more)
            free(bytes);
        bytes = more;
    }
    if (file)
        gzclose(file);
    *size = used;
    return bytes;
}

static const char *find(const char *bytes, size_t size, const char *word)
{
    return memmem(bytes, size, word, strlen(word));
}

// Writes the trace with its events repeated until they are enough for two threads. False where
// there are none.
static bool write_long(const char *path, const char *bytes, size_t size)
{
    const char *key = find(bytes, size, "\"traceEvents\"");
    const char *from = key ? memchr(key, '{', size - (size_t)(key - bytes)) : NULL;
    const char *to = memrchr(bytes, ']', size);

    if (!from || !to || to < from)
        return false;
    FILE *file = fopen(path, "wb");
    if (!file)
        return false;
    fwrite(bytes, 1, (size_t)(from - bytes), file);
    for (size_t done = 0; done < HALVED_BYTES; done += (size_t)(to - from)) {
        if (done)
            fputc(',', file);
        fwrite(from, 1, (size_t)(to - from), file);
    }
    fwrite(to, 1, (size_t)(bytes + size - to), file);
    return fclose(file) == 0;
}

static bool write_copy(const char *path, const char *from)
{
    size_t size;
    char *bytes = inflated(from, &size);
    bool written = false;

    if (bytes && size >= HALVED_BYTES) {
        write_whole_file(path, bytes, size);
        written = true;
    } else if (bytes) {
        written = write_long(path, bytes, size);
    }
    free(bytes);
    return written;
}

// `mode` is gzopen()'s. False, too, for a trace that is not short.
static bool write_with_garbage(const char *path, const char *mode, const char *from)
{
    size_t size;
    char *bytes = inflated(from, &size), *garbage = calloc(1, GARBAGE_BYTES);
    const gzFile file = gzopen(path, mode);
    bool written = bytes && garbage && file && size < FIRST_WINDOW_BYTES;

    if (written) {
        memset(garbage, 'x', GARBAGE_BYTES);
        written = gzwrite(file, bytes, (unsigned)size) == (int)size &&
                  gzwrite(file, garbage, GARBAGE_BYTES) == GARBAGE_BYTES;
    }
    if (file)
        written &= gzclose(file) == Z_OK;
    free(bytes);
    free(garbage);
    return written;
}

// ---- Comparing

static void tell(const json_report *r, size_t at, const char *way)
{
    const size_t from = at < SHOWN_BYTES ? 0 : at - SHOWN_BYTES;
    printf("    %s, exit status %d: %.*s\n", way, r->status, 2 * SHOWN_BYTES, r->text + from);
}

// Whether all ways give what the first gives.
static bool all_same(const char *path, const char *what, const report_way *ways, size_t count)
{
    const json_report first = json_report_of(path, &ways[0]);
    bool same = true;

    for (size_t i = 1; i < count; i++) {
        const json_report r = json_report_of(path, &ways[i]);
        const size_t at = json_report_difference(&first, &r);
        if (at != SIZE_MAX || first.status != r.status) {
            printf("%s: the report differs at byte %zu\n", what, at);
            tell(&first, at < first.size ? at : 0, ways[0].name);
            tell(&r, at < r.size ? at : 0, ways[i].name);
            same = false;
        }
        free(r.text);
    }
    free(first.text);
    return same;
}

// A trace with garbage behind it, plain and packed.
static size_t compare_garbage(void)
{
    const char *const made[] = {temp_path("tail.pt.trace.json"),
                                temp_path("tail.pt.trace.json.gz")};
    static const char *const modes[] = {"wbT", "wb1"};
    size_t failed = 0, from = 0;

    while (from < path_count && !write_with_garbage(made[0], modes[0], paths[from]))
        from++;
    if (from == path_count)
        return 0;
    for (size_t i = 0; i < ARRAY_LEN(modes); i++)
        failed += !write_with_garbage(made[i], modes[i], paths[from]) ||
                  !all_same(made[i], made[i], WAYS, ARRAY_LEN(WAYS));
    return failed;
}

static int compare_all(void)
{
    temp_dir_make();
    const char *copy = temp_path("copy.pt.trace.json");
    size_t failed = compare_garbage(), plain = 0;

    for (size_t i = 0; i < path_count; i++) {
        bool same = all_same(paths[i], paths[i], WAYS, ARRAY_LEN(WAYS));
        if (write_copy(copy, paths[i])) {
            plain++;
            same &= all_same(copy, paths[i], PLAIN_WAYS, ARRAY_LEN(PLAIN_WAYS));
        }
        failed += !same;
    }
    temp_dir_remove();
    printf(
        "%zu traces in %zu ways, %zu of them as plain files by one and two threads; %zu differ\n",
        path_count, ARRAY_LEN(WAYS), plain, failed);
    return failed ? 1 : 0;
}

int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++)
        nftw(argv[i], take_path, 16, FTW_PHYS);
    if (path_count == 0) {
        printf("skipped: no traces in %s\n", argc > 1 ? argv[1] : "no folder");
        return SKIPPED;
    }
    qsort(paths, path_count, sizeof(*paths), by_text);
    const int status = compare_all();
    for (size_t i = 0; i < path_count; i++)
        free(paths[i]);
    free(paths);
    return status;
}
