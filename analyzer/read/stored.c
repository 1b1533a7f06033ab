// SPDX-License-Identifier: BSD-3-Clause
// The bytes of a file or of standard input as they are stored.
#include "read/stored.h"

#include "read/inflate.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { BUFFER_BYTES = 256 * 1024 };

// Reads until `room` is full or the file ends; a failure is the end, and kept.
static size_t read_file(stored *s, void *to, size_t room)
{
    const uint64_t taken = atomic_load_explicit(&s->taken, memory_order_relaxed);
    const uint64_t allowed = s->to > taken ? s->to - taken : 0;
    size_t got = 0;

    if (room > allowed)
        room = (size_t)allowed;
    while (got < room) {
        const ssize_t n = read(s->fd, (char *)to + got, room - got);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            s->error = errno;
        if (n <= 0)
            break;
        got += (size_t)n;
    }
    s->over = got < room || room == allowed;
    atomic_fetch_add_explicit(&s->taken, got, memory_order_relaxed);
    return got;
}

bool stored_more(stored *s)
{
    if (s->left)
        return true;
    if (s->over)
        return false;
    // What the engine may step back over goes in front of the buffer.
    memmove(s->buffer - INFLATE_BACK, s->at - INFLATE_BACK, INFLATE_BACK);
    s->at = s->buffer;
    s->left = read_file(s, s->buffer, BUFFER_BYTES);
    return s->left > 0;
}

err_code stored_open(stored *s, arena *a, const char *path, error *err)
{
    struct stat status;

    *s = (stored){.fd = STDIN_FILENO, .to = UINT64_MAX};
    if (strcmp(path, "-") != 0)
        s->fd = open(path, O_RDONLY | O_CLOEXEC);
    if (s->fd < 0)
        return error_at(err, ERR_IO, ERROR_NO_OFFSET, "cannot open: %s", strerror(errno));
    if (fstat(s->fd, &status) == 0 && S_ISREG(status.st_mode))
        s->size = (uint64_t)status.st_size;
    s->buffer = (uint8_t *)arena_alloc_array(a, 1, BUFFER_BYTES + 64, 64) + 64;
    s->at = s->buffer;
    stored_more(s);
    if (!s->error)
        return ERR_NONE;
    const int failed = s->error;
    stored_close(s);
    return error_at(err, ERR_IO, ERROR_NO_OFFSET, "cannot read: %s", strerror(failed));
}

void stored_close(stored *s)
{
    if (s->fd > STDIN_FILENO)
        close(s->fd);
    s->fd = -1;
}

bool stored_range(stored *s, uint64_t from, uint64_t to)
{
    if (from >= s->size || lseek(s->fd, (off_t)from, SEEK_SET) != (off_t)from)
        return false;
    s->left = 0;
    s->over = false;
    s->to = to < s->size ? to : s->size;
    atomic_store_explicit(&s->taken, from, memory_order_relaxed);
    return true;
}

size_t stored_read(stored *s, void *to, size_t room)
{
    const size_t buffered = s->left < room ? s->left : room;

    memcpy(to, s->at, buffered);
    s->at += buffered;
    s->left -= buffered;
    if (buffered == room || s->over)
        return buffered;
    return buffered + read_file(s, (char *)to + buffered, room - buffered);
}
