// SPDX-License-Identifier: BSD-3-Clause
// A sink into a descriptor that someone else owns.
#include "out/sink.h"
#include "out/write_all.h"

#include <stdlib.h>

typedef struct fd_sink {
    tp_sink sink;
    int fd;
} fd_sink;

static tprof_status fd_write(tp_sink *sink, const void *data, size_t size)
{
    sink->error = tp_write_all(((fd_sink *)sink)->fd, data, size);
    return sink->error ? TPROF_ERR_IO : TPROF_OK;
}

static tprof_status fd_finish(tp_sink *sink)
{
    (void)sink;
    return TPROF_OK;
}

static void fd_release(tp_sink *sink)
{
    free(sink);
}

tprof_status tp_sink_fd_open(int fd, tp_sink **out)
{
    fd_sink *to = calloc(1, sizeof(*to));
    *out = NULL;
    if (!to)
        return TPROF_ERR_MEMORY;
    to->sink.write = fd_write;
    to->sink.finish = fd_finish;
    to->sink.release = fd_release;
    to->fd = fd;
    *out = &to->sink;
    return TPROF_OK;
}
