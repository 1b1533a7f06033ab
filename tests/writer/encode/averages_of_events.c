// SPDX-License-Identifier: BSD-3-Clause
// Prints the key_averages of events that averages_of_torch.py took out of a trace.
//
// usage: averages_of_events EVENTS [memory] [flops] [rows]   the options the trace was recorded
// with; rows: as data, grouped by shape, instead of as a table
//
// A line is an event, its fields separated by tabs: kind, thread, begin and end in ns, name, then
// of operators sequence number, and for each input its sizes ("4x32", "-" for no tensor) and its
// value.
#include "support/made_capture.h"

#include "encode/encode_averages.h"
#include "flops.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { INPUTS_MAX = 64, SIZES_MAX = 512 };

// The next field, cut out of the line; "" behind the last one.
static char *field(char **at)
{
    char *begin = *at;
    char *end = begin + strcspn(begin, "\t");
    *at = *end ? end + 1 : end;
    *end = '\0';
    return begin;
}

static int64_t number(char **at)
{
    return strtoll(field(at), NULL, 10);
}

static int64_t *read_sizes(char *text, int64_t *sizes, tprof_input *input)
{
    if (strcmp(text, "-") == 0)
        return sizes;
    input->sizes = sizes;
    for (char *size = strtok(text, "x"); size; size = strtok(NULL, "x")) {
        *sizes++ = strtoll(size, NULL, 10);
        input->dimensions++;
    }
    return sizes;
}

static void make_operator(const char *name, int64_t begin_ns, int64_t end_ns, char *at)
{
    tprof_input inputs[INPUTS_MAX] = {{0}};
    int64_t sizes[SIZES_MAX], *next = sizes;
    tprof_op op = {.name = name, .inputs = inputs, .sequence = number(&at)};

    while (*at && op.input_count < INPUTS_MAX) {
        tprof_input *input = &inputs[op.input_count++];
        next = read_sizes(field(&at), next, input);
        input->value = field(&at);
    }
    op.flops = tp_flops(&op);
    made_operator(&op, 0, begin_ns, end_ns);
}

static void make_event(char *at)
{
    const char *kind = field(&at);
    made_thread(number(&at));
    const int64_t begin_ns = number(&at), end_ns = number(&at);
    const char *name = field(&at);

    if (strcmp(kind, "memory") == 0)
        made_memory(TPROF_DEVICE_CPU, begin_ns, number(&at));
    else if (strcmp(kind, "annotation") == 0)
        made_range(TP_ANNOTATION, name, begin_ns, end_ns);
    else
        make_operator(name, begin_ns, end_ns, at);
}

// The whole file: names stay valid until the end.
static char *read_all(const char *path)
{
    FILE *file = fopen(path, "rb");
    if (!file || fseek(file, 0, SEEK_END) != 0)
        exit(2);
    const long size = ftell(file);
    char *text = malloc((size_t)size + 1);
    rewind(file);
    if (!text || fread(text, 1, (size_t)size, file) != (size_t)size)
        exit(2);
    text[size] = '\0';
    fclose(file);
    return text;
}

static void print_rows(const tprof_averages *averages)
{
    for (size_t i = 0; i < tprof_averages_count(averages); i++) {
        const tprof_average *r = tprof_averages_row(averages, i);
        printf("%s\t%s\t%" PRIu64 "\t%" PRId64 "\t%" PRId64 "\t%" PRId64 "\t%" PRId64 "\t%" PRIu64
               "\n",
               r->name, r->input_shapes, r->count, r->self_cpu_total_ns, r->cpu_total_ns,
               r->self_cpu_memory_bytes, r->cpu_memory_bytes, r->flops);
    }
}

static bool has_option(char **argv, const char *option)
{
    while (*argv && strcmp(*argv, option) != 0)
        argv++;
    return *argv != NULL;
}

int main(int argc, char **argv)
{
    const bool by_shape = has_option(argv, "rows");
    const tprof_averages_options options = {.group_by_input_shape = by_shape};
    const tprof_table_options layout = {.sort_by = "self_cpu_time_total", .row_limit = -1};
    tprof_averages *averages;

    if (argc < 2)
        return 2;
    char *text = read_all(argv[1]);
    made_begin();
    for (char *line = text, *end; *line; line = end) {
        end = line + strcspn(line, "\n");
        if (*end)
            *end++ = '\0';
        make_event(line);
    }
    tp_capture *capture = made_capture();
    capture->profile_memory = has_option(argv, "memory");
    capture->with_flops = has_option(argv, "flops");
    if (tp_averages_make(capture, &options, &averages) != TPROF_OK)
        return 1;
    if (by_shape) {
        print_rows(averages);
    } else {
        char *table = tprof_averages_table(averages, &layout);
        fputs(table ? table : "", stdout);
        free(table);
    }
    tprof_averages_free(averages);
    tp_capture_release(capture);
    free(text);
    return 0;
}
