// SPDX-License-Identifier: BSD-3-Clause
// Names and folders of a log directory.
#include "run_folder.h"

#include "out/json_text.h"
#include "process_facts.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static const char PART_SUFFIX[] = ".part";

static bool is_separator(unsigned char byte)
{
    return byte < 0x20 || byte == 0x7f || byte == '/' || byte == '\\';
}

void tp_worker_name(const char *worker, char name[TP_WORKER_BYTES])
{
    size_t used = 0;

    if (!worker || !*worker) {
        snprintf(name, TP_WORKER_BYTES, "%.150s_%ld", tp_facts_host_name(), (long)getpid());
        worker = NULL;
    }
    for (size_t left = worker ? strlen(worker) : 0; left > 0;) {
        bool valid;
        const size_t length = tp_utf8_sequence(worker, left, &valid);
        if (used + length >= TP_WORKER_BYTES)
            break;
        if (!valid || is_separator((unsigned char)*worker) || (used == 0 && *worker == '.')) {
            name[used++] = '_';
        } else {
            memcpy(name + used, worker, length);
            used += length;
        }
        worker += length;
        left -= length;
    }
    if (used)
        name[used] = '\0';
}

int64_t tp_stamp_next(void)
{
    static _Atomic int64_t last;
    struct timespec now;

    clock_gettime(CLOCK_REALTIME, &now);
    int64_t stamp = (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
    int64_t before = atomic_load(&last);
    do {
        if (stamp <= before)
            stamp = before + 1;
    } while (!atomic_compare_exchange_weak(&last, &before, stamp));
    return stamp;
}

int tp_folder_make(const char *path)
{
    char *copy = strdup(path);
    int error = 0;

    if (!copy)
        return ENOMEM;
    for (char *at = copy + 1; !error && *at; at++)
        if (*at == '/') {
            *at = '\0';
            // A parent that cannot be made may be one that cannot be looked into but is there; the
            // last step tells.
            if (mkdir(copy, 0777) != 0 && errno == ENOSPC)
                error = errno;
            *at = '/';
        }
    if (!error && mkdir(copy, 0777) != 0 && errno != EEXIST)
        error = errno;
    free(copy);
    if (error)
        return error;

    struct stat found;
    if (stat(path, &found) != 0)
        return errno;
    return S_ISDIR(found.st_mode) ? 0 : ENOTDIR;
}

int tp_run_folder_open(tp_run_folder *folder, const char *directory)
{
    static _Atomic unsigned number;
    int error = 0;

    memset(folder, 0, sizeof(*folder));
    do {
        free(folder->temporary);
        if (asprintf(&folder->temporary, "%s/.tprof-%ld-%u.tmp", directory, (long)getpid(),
                     atomic_fetch_add(&number, 1)) < 0) {
            folder->temporary = NULL;
            return ENOMEM;
        }
        error = mkdir(folder->temporary, 0777) == 0 ? 0 : errno;
    } while (error == EEXIST);

    folder->directory = strdup(directory);
    if (!error && !folder->directory) {
        rmdir(folder->temporary);
        error = ENOMEM;
    }
    if (error) {
        free(folder->temporary);
        free(folder->directory);
        memset(folder, 0, sizeof(*folder));
    }
    return error;
}

static char *part_path(const tp_run_folder *folder, const char *name)
{
    char *path;
    if (asprintf(&path, "%s/%s%s", folder->temporary, name, PART_SUFFIX) < 0)
        return NULL;
    return path;
}

char *tp_run_folder_add(tp_run_folder *folder, const char *name)
{
    char **names = realloc(folder->names, (folder->name_count + 1) * sizeof(*names));
    if (!names)
        return NULL;
    folder->names = names;
    names[folder->name_count] = strdup(name);
    if (!names[folder->name_count])
        return NULL;
    folder->name_count++;
    return part_path(folder, name);
}

static void close_folder(tp_run_folder *folder)
{
    for (size_t i = 0; i < folder->name_count; i++)
        free(folder->names[i]);
    free(folder->names);
    free(folder->temporary);
    free(folder->directory);
    memset(folder, 0, sizeof(*folder));
}

void tp_run_folder_abandon(tp_run_folder *folder)
{
    if (!folder->temporary)
        return;
    for (size_t i = 0; i < folder->name_count; i++) {
        char *path = part_path(folder, folder->names[i]);
        if (path) {
            unlink(path);
            path[strlen(path) - (sizeof(PART_SUFFIX) - 1)] = '\0';
            unlink(path);
        }
        free(path);
    }
    rmdir(folder->temporary);
    close_folder(folder);
}

// The files get the names that viewers look for, at once.
static int name_files(const tp_run_folder *folder)
{
    for (size_t i = 0; i < folder->name_count; i++) {
        char *from = part_path(folder, folder->names[i]);
        char *to = from ? strndup(from, strlen(from) - (sizeof(PART_SUFFIX) - 1)) : NULL;
        // One whose file could not be written is not there.
        const int error = !to ? ENOMEM : rename(from, to) == 0 || errno == ENOENT ? 0 : errno;
        free(from);
        free(to);
        if (error)
            return error;
    }
    return 0;
}

// Moves a folder to where nothing is yet. Returns 0 or errno.
static int move_folder(const char *from, const char *to)
{
    if (renameat2(AT_FDCWD, from, AT_FDCWD, to, RENAME_NOREPLACE) == 0)
        return 0;
    if (errno != EINVAL && errno != ENOSYS)
        return errno;
    // A file system without that: a folder is only replaced by rename() where it is empty.
    return rename(from, to) == 0 ? 0 : errno;
}

int tp_run_folder_place(tp_run_folder *folder, const char *worker, char **last_file)
{
    int error = name_files(folder);
    char *path = NULL;

    *last_file = NULL;
    if (error) {
        tp_run_folder_abandon(folder);
        return error;
    }
    do {
        free(path);
        if (asprintf(&path, "%s/%s_%lld", folder->directory, worker, (long long)tp_stamp_next()) <
            0) {
            tp_run_folder_abandon(folder);
            return ENOMEM;
        }
        error = move_folder(folder->temporary, path);
    } while (error == EEXIST || error == ENOTEMPTY);

    if (error) {
        tp_run_folder_abandon(folder);
    } else {
        if (folder->name_count &&
            asprintf(last_file, "%s/%s", path, folder->names[folder->name_count - 1]) < 0)
            *last_file = NULL;
        close_folder(folder);
    }
    free(path);
    return error;
}
