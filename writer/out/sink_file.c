// SPDX-License-Identifier: BSD-3-Clause
// A file that nobody sees under its name before it is complete.
#include "out/sink.h"
#include "out/write_all.h"

#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

typedef struct file_sink {
    tp_sink sink;
    tp_file_mode mode;
    int fd;
    char *path;      // the name it will have
    char *temporary; // the name it has; NULL once it is in place, and for a device
} file_sink;

// Length of the directory part of a path, with its slash.
static size_t directory_length(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? (size_t)(slash - path) + 1 : 0;
}

// Keeps what was renamed from being lost with the machine. Not every file system can, so failure is
// not one.
static void flush_directory(const char *path)
{
    const size_t length = directory_length(path);
    char *directory = length ? strndup(path, length) : strdup(".");
    if (!directory)
        return;
    const int fd = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd >= 0) {
        fsync(fd);
        close(fd);
    }
    free(directory);
}

// Gives the file its name unless there is one of that name. Returns 0 or errno.
static int place_new(const char *temporary, const char *path)
{
    if (renameat2(AT_FDCWD, temporary, AT_FDCWD, path, RENAME_NOREPLACE) == 0)
        return 0;
    if (errno != EINVAL && errno != ENOSYS && errno != ENOTSUP)
        return errno;
    if (link(temporary, path) == 0) {
        unlink(temporary);
        return 0;
    }
    if (errno != EPERM && errno != ENOTSUP && errno != ENOSYS)
        return errno;
    // A file system without either: an empty file of that name is the claim, and is replaced.
    const int claim = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (claim < 0)
        return errno;
    close(claim);
    return rename(temporary, path) == 0 ? 0 : errno;
}

static int place(const file_sink *file)
{
    if (file->mode == TP_FILE_NEW)
        return place_new(file->temporary, file->path);
    return rename(file->temporary, file->path) == 0 ? 0 : errno;
}

static tprof_status fail(tp_sink *sink, int error)
{
    sink->error = error;
    return error == EEXIST ? TPROF_ERR_EXISTS : TPROF_ERR_IO;
}

static tprof_status file_write(tp_sink *sink, const void *data, size_t size)
{
    const int error = tp_write_all(((file_sink *)sink)->fd, data, size);
    return error ? fail(sink, error) : TPROF_OK;
}

static tprof_status file_finish(tp_sink *sink)
{
    file_sink *file = (file_sink *)sink;

    // A device or pipe has nothing to flush and says so.
    if (fsync(file->fd) != 0 && errno != EINVAL && errno != EROFS)
        return fail(sink, errno);
    const int fd = file->fd;
    file->fd = -1;
    if (close(fd) != 0 && errno != EINTR)
        return fail(sink, errno);
    if (!file->temporary)
        return TPROF_OK;

    const int error = place(file);
    if (error)
        return fail(sink, error);
    free(file->temporary);
    file->temporary = NULL;
    flush_directory(file->path);
    return TPROF_OK;
}

static void file_release(tp_sink *sink)
{
    file_sink *file = (file_sink *)sink;

    if (file->fd >= 0)
        close(file->fd);
    if (file->temporary)
        unlink(file->temporary);
    free(file->temporary);
    free(file->path);
    free(file);
}

// Opens a file beside `path` under a name that is not in use. Returns 0 or errno.
static int open_temporary(file_sink *file)
{
    static _Atomic unsigned number;
    const size_t length = directory_length(file->path);
    const size_t size = length + 64;

    file->temporary = malloc(size);
    if (!file->temporary)
        return ENOMEM;
    do {
        snprintf(file->temporary, size, "%.*s.tprof-%ld-%u.tmp", (int)length, file->path,
                 (long)getpid(), atomic_fetch_add(&number, 1));
        file->fd = open(file->temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    } while (file->fd < 0 && errno == EEXIST);

    if (file->fd >= 0)
        return 0;
    const int error = errno;
    free(file->temporary);
    file->temporary = NULL;
    return error;
}

// Decides what `path` means and opens it. A device, a pipe or the like is written as it is: it
// cannot be replaced. Returns 0 or errno.
static int open_file(file_sink *file)
{
    struct stat found;

    if (lstat(file->path, &found) != 0)
        return open_temporary(file);
    if (file->mode == TP_FILE_NEW)
        return EEXIST;
    if (S_ISLNK(found.st_mode)) {
        char *real = realpath(file->path, NULL);
        if (!real)
            return errno;
        free(file->path);
        file->path = real;
        if (stat(real, &found) != 0)
            return errno;
    }
    if (S_ISREG(found.st_mode))
        return open_temporary(file);
    file->fd = open(file->path, O_WRONLY | O_CLOEXEC);
    return file->fd >= 0 ? 0 : errno;
}

tprof_status tp_sink_file_open(const char *path, tp_file_mode mode, tp_sink **out, int *error)
{
    file_sink *file = calloc(1, sizeof(*file));
    tprof_status status = TPROF_ERR_MEMORY;
    int code = 0;

    *out = NULL;
    if (!file)
        goto fail;
    file->sink.write = file_write;
    file->sink.finish = file_finish;
    file->sink.release = file_release;
    file->mode = mode;
    file->fd = -1;
    file->path = strdup(path);
    if (!file->path)
        goto fail;
    code = open_file(file);
    if (code) {
        status = code == ENOMEM ? TPROF_ERR_MEMORY : fail(&file->sink, code);
        goto fail;
    }
    *out = &file->sink;
    return TPROF_OK;

fail:
    if (file)
        file_release(&file->sink);
    if (error)
        *error = code;
    return status;
}
