// SPDX-License-Identifier: BSD-3-Clause
// Any bytes as a trace: the whole report, as JSON with every view, is the same whether the reader
// uses vectors and learned gaps or neither, and whether one thread makes it or two.
#include "fuzz/fuzz_target.h"
#include "fuzz/memory_file.h"
#include "support/json_report.h"

static const report_way PLAIN = {
    "plain", {.plain_scan = true, .scanner = "scalar", .window_bytes = 16 * 1024},
     "1"
};
static const report_way FAST = {
    "fast", {.window_bytes = 16 * 1024, .gap_values = 24},
     "1"
};
static const report_way BY_TWO = {
    "by two threads", {.window_bytes = 700, .gap_values = 24, .ahead = AHEAD_ALWAYS},
     "2"
};

static const report_way BY_HALVES = {
    "by halves", {.window_bytes = 16 * 1024, .gap_values = 24, .halved_bytes = 1},
     "2"
};

static void expect_same(const json_report *plain, const char *path, const report_way *way)
{
    const json_report r = json_report_of(path, way);
    const size_t at = json_report_difference(plain, &r);

    if (at != SIZE_MAX || plain->status != r.status) {
        const size_t from = at == SIZE_MAX || at < 60 ? 0 : at - 60;
        fprintf(stderr, "%s: %.120s\nplain: %.120s\n", way->name, r.text + from,
                plain->text + from);
        abort();
    }
    free(r.text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    // Where the notes of gzip stand between those of JSON depends on the windows.
    if (size >= 2 && data[0] == 0x1f && data[1] == 0x8b)
        return 0;
    const memory_file file = memory_file_open(data, size);
    const json_report plain = json_report_of(file.path, &PLAIN);

    expect_same(&plain, file.path, &FAST);
    if (size % 4 == 0)
        expect_same(&plain, file.path, &BY_TWO);
    if (size % 4 == 1)
        expect_same(&plain, file.path, &BY_HALVES);
    free(plain.text);
    close(file.fd);
    return 0;
}
