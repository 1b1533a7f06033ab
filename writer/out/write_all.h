// SPDX-License-Identifier: BSD-3-Clause
// write() until all is written.
#ifndef OUT_WRITE_ALL_H
#define OUT_WRITE_ALL_H

#include <errno.h>
#include <stddef.h>
#include <unistd.h>

// Returns 0, or errno of what failed.
static inline int tp_write_all(int fd, const void *data, size_t size)
{
    const char *at = data;
    while (size > 0) {
        const ssize_t done = write(fd, at, size);
        if (done < 0 && errno == EINTR)
            continue;
        if (done <= 0)
            return done < 0 ? errno : ENOSPC;
        at += done;
        size -= (size_t)done;
    }
    return 0;
}

#endif
