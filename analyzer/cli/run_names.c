// SPDX-License-Identifier: BSD-3-Clause
// Runs of one name in different folders get names that tell them apart.
#include "cli/run_names.h"

#include <stdlib.h>
#include <sys/stat.h>

// A folder with trace files.
typedef struct folder {
    uint64_t device, inode;
    const char *path; // without links
    const char *name; // what the run will be called
} folder;

typedef struct folder_list {
    folder *at;
    uint32_t count, capacity;
    const char *last; // path of a file whose folder was found last, at the place below
    uint32_t last_place;
} folder_list;

static size_t folder_length(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? (size_t)(slash - path) : 0;
}

static bool same_folder(const char *path, const char *other)
{
    const size_t length = folder_length(path);
    return length == folder_length(other) && memcmp(path, other, length) == 0;
}

static const char *folder_of(const char *path, arena *a)
{
    const size_t length = folder_length(path);
    return length ? arena_copy(a, path, length) : *path == '/' ? "/" : ".";
}

static const char *without_links(const char *path, arena *a)
{
    char *real = realpath(path, NULL);
    const char *copy = arena_printf(a, "%s", real ? real : path);
    free(real);
    return copy;
}

static uint32_t place_of(folder_list *l, const char *file, arena *a)
{
    struct stat status = {0};

    if (l->last && same_folder(l->last, file))
        return l->last_place;
    const char *path = folder_of(file, a);
    stat(path, &status);
    l->last = file;
    l->last_place = 0;
    while (l->last_place < l->count && (l->at[l->last_place].device != status.st_dev ||
                                        l->at[l->last_place].inode != status.st_ino))
        l->last_place++;
    if (l->last_place == l->count) {
        arena_reserve_one(a, l->at, l->count, l->capacity);
        l->at[l->count++] = (folder){status.st_dev, status.st_ino, without_links(path, a), NULL};
    }
    return l->last_place;
}

static uint32_t count_parts(const char *path)
{
    uint32_t parts = 1;
    for (; *path; path++)
        parts += *path == '/' && path[1];
    return parts;
}

// The last `parts` parts of a path, or all of it.
static const char *path_end(const char *path, uint32_t parts)
{
    const char *at = path + strlen(path);

    while (at > path && (at[-1] != '/' || --parts > 0))
        at--;
    return at;
}

static int by_name(const void *x, const void *y)
{
    return strcmp(*(const char *const *)x, *(const char *const *)y);
}

static bool all_differ(const char **names, uint32_t count)
{
    qsort(names, count, sizeof(*names), by_name);
    for (uint32_t i = 1; i < count; i++)
        if (strcmp(names[i - 1], names[i]) == 0)
            return false;
    return true;
}

// More of the paths than the name that they share, and no more than it takes.
static void name_folders(folder_list *l, const char *shared, arena *a)
{
    const char **names = arena_new(a, const char *, l->count);
    uint32_t most = 0;

    for (uint32_t i = 0; i < l->count; i++)
        if (count_parts(l->at[i].path) > most)
            most = count_parts(l->at[i].path);
    for (uint32_t parts = count_parts(shared) + 1; parts <= most + 1; parts++) {
        for (uint32_t i = 0; i < l->count; i++)
            names[i] = l->at[i].name = path_end(l->at[i].path, parts);
        if (all_differ(names, l->count))
            return;
    }
}

// Files of one run name. Whether they lie in several folders, and have other names now.
static bool part_group(run_file *files, uint32_t count, arena *a)
{
    const char *shared = files[0].run;
    folder_list folders = {0};
    uint32_t *places = arena_new(a, uint32_t, count);

    if (strcmp(shared, "-") == 0)
        return false;
    for (uint32_t i = 0; i < count; i++)
        places[i] = place_of(&folders, files[i].path, a);
    if (folders.count < 2)
        return false;
    name_folders(&folders, shared, a);
    bool renamed = false;
    for (uint32_t i = 0; i < count; i++) {
        files[i].run = folders.at[places[i]].name;
        renamed |= strcmp(files[i].run, shared) != 0;
    }
    return renamed;
}

void run_names_part(run_listing *listing, arena *a)
{
    bool parted = true;

    // A new name may be another run's; it grows, so that this ends.
    while (parted) {
        parted = false;
        for (uint32_t first = 0, end; first < listing->file_count; first = end) {
            for (end = first + 1; end < listing->file_count; end++)
                if (strcmp(listing->files[first].run, listing->files[end].run) != 0)
                    break;
            parted |= part_group(listing->files + first, end - first, a);
        }
        if (parted)
            run_listing_sort(listing);
    }
}
