// SPDX-License-Identifier: BSD-3-Clause
// Any bytes as a file: opening and inflating them gives the same bytes and notes for each size of
// window, with and without a thread.
#include "fuzz/fuzz_target.h"
#include "fuzz/memory_file.h"

#include "base/id_map.h"
#include "read/input.h"

#include <string.h>

typedef struct outcome {
    uint64_t bytes, size, notes;
} outcome;

static void on_note(void *self, const char *code, note_severity severity, uint64_t offset,
                    const char *what)
{
    outcome *o = self;
    (void)what;
    o->notes = o->notes * 31 + hash_bytes(code, strlen(code)) + (uint64_t)severity + offset;
}

static outcome inflate_all(const char *path, uint32_t window_bytes, bool background, size_t keep)
{
    const read_limits limits = {.window_bytes = window_bytes, .inflate_ratio = 1100};
    outcome o = {0};
    const record_visitor visitor = {.self = &o, .note = on_note};
    input_window w;
    error err = {0};
    input *in;
    const char *from = NULL;

    if (input_open(path, &limits, background, &in, &err))
        abort();
    do {
        input_more(in, from, &visitor, &w, &err);
        const size_t known = (size_t)(o.size - w.offset);
        for (const char *at = w.begin + known; at < w.end; at++)
            o.bytes = (o.bytes ^ (unsigned char)*at) * 0x100000001b3u;
        o.size = w.offset + (uint64_t)(w.end - w.begin);
        from = (size_t)(w.end - w.begin) < keep ? w.begin : w.end - keep;
    } while (!w.last && o.size < 4 * 1024 * 1024);
    input_close(in);
    return o;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const memory_file file = memory_file_open(data, size);
    const outcome whole = inflate_all(file.path, 0, false, 0);
    const outcome pieces = inflate_all(file.path, 1 + (uint32_t)(size % 5000), true, size % 70);

    if (whole.size < 4 * 1024 * 1024 &&
        (whole.size != pieces.size || whole.bytes != pieces.bytes || whole.notes != pieces.notes))
        abort();
    close(file.fd);
    return 0;
}
