// SPDX-License-Identifier: BSD-3-Clause
// A new file, packed or not as its name says.
#include "out/sink.h"

#include <string.h>

static bool is_packed(const char *name)
{
    const size_t length = strlen(name);
    return length >= 3 && strcmp(name + length - 3, ".gz") == 0;
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

tprof_status tp_sink_named_open(const char *path, const char *name, tp_sink **out, int *error)
{
    char inner[256];
    const tprof_status status = tp_sink_file_open(path, TP_FILE_NEW, out, error);

    if (status != TPROF_OK || !is_packed(name))
        return status;
    inner_name(name, inner);
    return tp_sink_gzip_open(*out, inner, out);
}
