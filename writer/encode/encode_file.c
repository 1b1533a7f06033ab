// SPDX-License-Identifier: BSD-3-Clause
// A capture into a file.
#include "encode/encoder.h"

#include <string.h>

static bool is_compressed(const char *path)
{
    const size_t length = strlen(path);
    return length >= 3 && strcmp(path + length - 3, ".gz") == 0;
}

// The name inside the archive: that of the file without its folder and ".gz".
static void inner_name(const char *path, char name[256])
{
    const char *slash = strrchr(path, '/');
    const char *base = slash ? slash + 1 : path;
    size_t length = strlen(base) - 3;

    if (length > 255)
        length = 255;
    memcpy(name, base, length);
    name[length] = '\0';
}

tprof_status tp_encode_file(const tp_encoder *encoder, const tp_capture *capture, const char *path,
                            const char *trace_name, int *error)
{
    tp_sink *sink;
    char name[256];

    tprof_status status = tp_sink_file_open(path, TP_FILE_NEW, &sink, error);
    if (status != TPROF_OK)
        return status;
    if (is_compressed(trace_name)) {
        inner_name(trace_name, name);
        status = tp_sink_gzip_open(sink, name, &sink);
        if (status != TPROF_OK)
            return status;
    }
    encoder->encode(capture, trace_name, sink);
    return tp_sink_close(sink, error);
}
