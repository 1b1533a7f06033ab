// SPDX-License-Identifier: BSD-3-Clause
// Prints the steps of a trace file as JSON: name, window relative to the first step, mark. For
// tests that hold them against another implementation.
#include "link/link.h"
#include "link/steps.h"

#include <inttypes.h>
#include <stdio.h>

int main(int count, char **arguments)
{
    const read_limits limits = {0};
    input *in = NULL;
    trace *t = NULL;
    error err = {.path = count > 1 ? arguments[1] : ""};
    char line[512];

    if (count != 2)
        return 2;
    if (input_open(arguments[1], &limits, false, &in, &err) ||
        trace_load(in, &limits, false, &t, &err)) {
        fprintf(stderr, "%s\n", error_line(&err, line, sizeof(line)));
        input_close(in);
        return err.code == ERR_EMPTY || err.code == ERR_NOT_TRACE ? 4 : 3;
    }
    trace_link(t, false);
    const step_list steps = steps_of(t, t->arena);
    for (uint32_t i = 0; i < steps.count; i++) {
        const step *s = &steps.at[i];
        printf("{\"step\":\"%s\",\"offset_ns\":%" PRId64 ",\"wall_ns\":%" PRId64
               ",\"host_wall_ns\":%" PRId64 ",\"complete\":%s}\n",
               s->name, s->begin - steps.at[0].begin, s->end - s->begin,
               s->host_end - s->host_begin, s->complete ? "true" : "false");
    }
    trace_destroy(t);
    input_close(in);
    return 0;
}
