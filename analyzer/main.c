// SPDX-License-Identifier: BSD-3-Clause
// tprof-analyze: arguments -> command -> exit status.
#include "cli/commands.h"
#include "cli/help.h"
#include "cli/messages.h"

#include <errno.h>
#include <string.h>

// What went to standard output has arrived, or it is said why not.
static exit_status arrived(void)
{
    if (fflush(stdout) == 0 && !ferror(stdout))
        return EXIT_FINE;
    message("standard output: cannot write: %s", strerror(errno));
    return EXIT_CANNOT_WRITE;
}

static exit_status run(const options *o)
{
    if (o->help)
        help_print(stdout);
    else if (o->version)
        version_print(stdout);
    else if (o->manual)
        manual_print(stdout);
    else if (o->completion)
        completion_print(o->completion, stdout);
    else
        return o->command->run(o);
    return arrived();
}

int main(int argc, char **argv)
{
    arena *a = arena_create();
    const char *known;
    options o;
    error err = {0};
    exit_status status = EXIT_USAGE;

    if (options_parse(&o, argv + (argc > 0), a, &known, &err) == ERR_NONE) {
        status = run(&o);
    } else {
        message_error(&err);
        if (known)
            message("known are: %s", known);
    }
    if (o.filter_regex)
        regfree((regex_t *)o.filter_regex);
    arena_destroy(a);
    return (int)status;
}
