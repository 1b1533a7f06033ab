// SPDX-License-Identifier: BSD-3-Clause
// An event file that grows by whole windows.
#include "encode/tfevents_file.h"

#include "encode/encode_tfevents.h"
#include "out/write_all.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { HOST_MAX = 64, NAMES_MAX = 1000 };

struct tp_tfevents_file {
    char *dir;
    char *path; // with room for `dir` and a name
    size_t path_size;
    int fd; // -1: there is no file
    off_t size;
    tp_run_totals totals;
};

tp_tfevents_file *tp_tfevents_create(const char *dir)
{
    tp_tfevents_file *file = calloc(1, sizeof(*file));

    if (!file)
        return NULL;
    file->fd = -1;
    file->path_size = strlen(dir) + NAME_MAX;
    file->dir = strdup(dir);
    file->path = calloc(1, file->path_size);
    if (file->dir && file->path)
        return file;
    tp_tfevents_destroy(file);
    return NULL;
}

const char *tp_tfevents_path(const tp_tfevents_file *file)
{
    return file->fd < 0 ? "" : file->path;
}

static void host_name(char *host)
{
    if (gethostname(host, HOST_MAX) != 0 || !*host)
        strcpy(host, "host");
    host[HOST_MAX - 1] = '\0';
    for (char *c = host; *c; c++)
        if (*c == '/')
            *c = '_';
}

// TensorBoard reads the files of a run in the order of their names, which is that of time here. A
// number at the end tells files of one second apart.
static int open_new(tp_tfevents_file *file, int64_t now_ns)
{
    char host[HOST_MAX];

    host_name(host);
    for (int number = 0; number < NAMES_MAX; number++) {
        snprintf(file->path, file->path_size, "%s/events.out.tfevents.%010lld.%s.%ld.%d", file->dir,
                 (long long)(now_ns / 1000000000), host, (long)getpid(), number);
        file->fd = open(file->path, O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0666);
        if (file->fd >= 0)
            return 0;
        if (errno != EEXIST)
            return errno;
    }
    return EEXIST;
}

static int64_t now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

// Half a record at the end would make what follows unreadable, so it is cut off again.
static int append(tp_tfevents_file *file, const void *data, size_t size)
{
    const int error = tp_write_all(file->fd, data, size);

    if (!error) {
        file->size += (off_t)size;
        return 0;
    }
    if (ftruncate(file->fd, file->size) != 0) {
        close(file->fd);
        file->fd = -1; // what follows goes into a new file
        file->size = 0;
    }
    return error;
}

static tprof_status store(tp_tfevents_file *file, const tp_sink *records, int *error)
{
    size_t size;
    const char *data = tp_sink_memory_data(records, &size);

    if (file->fd < 0)
        *error = open_new(file, now_ns());
    if (!*error)
        *error = append(file, data, size);
    return *error ? TPROF_ERR_IO : TPROF_OK;
}

tprof_status tp_tfevents_add(tp_tfevents_file *file, const tp_capture *capture, int *error)
{
    tp_run_totals totals = file->totals;
    tp_sink *records;

    *error = 0;
    tprof_status status = tp_sink_memory_open(0, &records);
    if (status != TPROF_OK)
        return status;
    if (file->size == 0)
        tp_tfevents_begin(records, now_ns());
    tp_tfevents_window(capture, &totals, records);
    status = records->status;
    if (status == TPROF_OK && totals.steps > file->totals.steps)
        status = store(file, records, error);
    if (status == TPROF_OK)
        file->totals = totals;
    tp_sink_abandon(records);
    return status;
}

void tp_tfevents_destroy(tp_tfevents_file *file)
{
    if (!file)
        return;
    if (file->fd >= 0)
        close(file->fd);
    free(file->dir);
    free(file->path);
    free(file);
}
