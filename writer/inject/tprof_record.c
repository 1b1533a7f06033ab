// SPDX-License-Identifier: BSD-3-Clause
// tprof-record [OPTIONS] -- PROGRAM ARGS...: records a program as it is, through
// libtprof_inject.so, and says in the end where the log is. Its exit status is the program's; 2 for
// wrong usage, 126 and 127 where the program cannot be run, 128 and the signal where one ended it.
#include "inject/inject_settings.h"
#include "inject/record_report.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define ARRAY_LEN(array) (sizeof(array) / sizeof((array)[0]))

enum { USAGE = 2, CANNOT_RUN = 126, NOT_FOUND = 127, SIGNALLED = 128 };

// An option sets a variable of the injection library, to its argument or to a fixed value.
typedef struct option {
    char letter; // 0: none
    const char *name;
    const char *argument; // NULL: none, `value` is set
    const char *value;
    tp_inject_variable variable;
    const char *help;
} option;

static const option OPTIONS[] = {
    {'o', "log-dir",    "DIR",         NULL, TP_INJECT_DIR,        "folder for the traces (./log)"             },
    {'w', "worker",     "NAME",        NULL, TP_INJECT_WORKER,     "worker in file names (<host>_<process id>)"},
    {'s', "step",       "NAME",        NULL, TP_INJECT_STEP,
     "the NVTX range that is a step; NAME or DOMAIN:NAME"                                                      },
    {0,   "schedule",   "WORDS",       NULL, TP_INJECT_SCHEDULE,
     "steps to record, such as wait=1,warmup=1,active=3,repeat=2"                                              },
    {0,   "delay",      "SECONDS",     NULL, TP_INJECT_DELAY,      "begin so long after the program"           },
    {'t', "duration",   "SECONDS",     NULL, TP_INJECT_DURATION,   "record so long"                            },
    {0,   "files",      "step|window", NULL, TP_INJECT_FILES,      "a file a step, or one a window (window)"   },
    {0,   "plain",      NULL,          "0",  TP_INJECT_GZIP,       "write .json files, not .json.gz"           },
    {'m', "memory",     NULL,          "1",  TP_INJECT_MEMORY,     "record the memory of devices, too"         },
    {0,   "activities", "LIST",        NULL, TP_INJECT_ACTIVITIES, "cpu, cuda or cpu,cuda (both)"              },
};

static int usage(FILE *out, int status)
{
    fputs("usage: tprof-record [OPTIONS] [--] PROGRAM [ARGUMENTS...]\n"
          "Records NVTX ranges and GPU activity of a program as it is, for TensorBoard and\n"
          "tprof-analyze.\n\n",
          out);
    for (size_t i = 0; i < ARRAY_LEN(OPTIONS); i++) {
        const option *o = &OPTIONS[i];
        char head[64];
        snprintf(head, sizeof(head), "%s%c%s--%s%s%s", o->letter ? "-" : "  ",
                 o->letter ? o->letter : ' ', o->letter ? ", " : " ", o->name,
                 o->argument ? " " : "", o->argument ? o->argument : "");
        fprintf(out, "  %-28s %s\n", head, o->help);
    }
    fputs("  -q, --quiet                  say nothing in the end\n"
          "  -h, --help                   show this\n"
          "      --version                show the version\n\n"
          "Each option is an environment variable of libtprof_inject.so:\n",
          out);
#define X(constant, name, text) fprintf(out, "  %-17s %s\n", name, text);
    TP_INJECT_VARIABLE_MAP(X)
#undef X
    return status;
}

static int complain(const char *what, const char *which)
{
    fprintf(stderr, "tprof-record: %s%s; --help shows what there is\n", what, which);
    return USAGE;
}

// ---- Arguments

typedef struct arguments {
    bool quiet, help, version;
    char **program; // and its arguments
} arguments;

// The option of an argument. *value is what stands in it behind '=' or the letter, or NULL.
static const option *find_option(const char *argument, const char **value)
{
    *value = NULL;
    for (size_t i = 0; i < ARRAY_LEN(OPTIONS); i++) {
        const option *o = &OPTIONS[i];
        const size_t length = strlen(o->name);
        if (argument[1] != '-' && o->letter && argument[1] == o->letter) {
            *value = argument[2] ? argument + 2 : NULL;
            return o;
        }
        if (strncmp(argument, "--", 2) == 0 && strncmp(argument + 2, o->name, length) == 0 &&
            (argument[2 + length] == '\0' || argument[2 + length] == '=')) {
            *value = argument[2 + length] ? argument + 3 + length : NULL;
            return o;
        }
    }
    return NULL;
}

// Takes one option; returns how many arguments it was, 0 with a complaint.
static int take_option(char **argv, arguments *args)
{
    const char *value;

    if (strcmp(argv[0], "-q") == 0 || strcmp(argv[0], "--quiet") == 0)
        return args->quiet = true;
    if (strcmp(argv[0], "-h") == 0 || strcmp(argv[0], "--help") == 0)
        return args->help = true;
    if (strcmp(argv[0], "--version") == 0)
        return args->version = true;

    const option *o = find_option(argv[0], &value);
    if (!o) {
        complain("unknown option ", argv[0]);
        return 0;
    }
    if (o->argument && !value && !argv[1]) {
        complain("an argument is missing for ", argv[0]);
        return 0;
    }
    if (!o->argument && value) {
        complain("no argument is taken by ", argv[0]);
        return 0;
    }
    const bool separate = o->argument && !value;
    setenv(tp_inject_variable_name(o->variable),
           !o->argument ? o->value
           : separate   ? argv[1]
                        : value,
           1);
    return 1 + separate;
}

static int read_arguments(char **argv, arguments *args)
{
    while (argv[0] && argv[0][0] == '-' && argv[0][1]) {
        if (strcmp(argv[0], "--") == 0) {
            argv++;
            break;
        }
        const int taken = take_option(argv, args);
        if (taken == 0)
            return USAGE;
        argv += taken;
    }
    args->program = argv;
    return 0;
}

static const char *environment(const char *name)
{
    return getenv(name);
}

// ---- The library

// Beside this program (a build), or where it was installed to.
static bool find_library(char path[PATH_MAX])
{
    static const char *const places[] = {"", "../" TPROF_LIBDIR "/", "../lib/"};
    char self[PATH_MAX];
    const ssize_t length = readlink("/proc/self/exe", self, sizeof(self) - 1);

    if (length <= 0)
        return false;
    self[length] = '\0';
    *(strrchr(self, '/') + 1) = '\0';
    for (size_t i = 0; i < ARRAY_LEN(places); i++) {
        char place[PATH_MAX];
        if (snprintf(place, sizeof(place), "%s%slibtprof_inject.so", self, places[i]) >=
            (int)sizeof(place))
            continue;
        if (realpath(place, path))
            return true;
    }
    return false;
}

// ---- The program

// How the program ended, and whether it was run at all.
typedef struct outcome {
    int status; // the exit status to hand on
    bool ran;
} outcome;

// The signals that others send us to reach the program.
static const int HANDED_ON[] = {SIGINT, SIGQUIT, SIGTERM, SIGHUP, SIGUSR1, SIGUSR2};

static volatile pid_t running; // the program, 0 once it has ended

// A terminal's interrupt is the kernel's, and reaches the program as it reaches us.
static void hand_on(int number, siginfo_t *info, void *context)
{
    (void)context;
    if ((number == SIGINT || number == SIGQUIT) && info->si_code == SI_KERNEL)
        return;
    if (running > 0)
        kill(running, number);
}

static sigset_t signals_handed_on(void)
{
    sigset_t set;
    sigemptyset(&set);
    for (size_t i = 0; i < ARRAY_LEN(HANDED_ON); i++)
        sigaddset(&set, HANDED_ON[i]);
    return set;
}

static void hand_on_to(pid_t child)
{
    const struct sigaction action = {.sa_sigaction = hand_on,
                                     .sa_mask = signals_handed_on(),
                                     .sa_flags = SA_SIGINFO | SA_RESTART};
    running = child;
    for (size_t i = 0; i < ARRAY_LEN(HANDED_ON); i++)
        sigaction(HANDED_ON[i], &action, NULL);
}

// In the child: becomes the program, or says through the pipe why not.
static void become_program(char **program, const char *library, int failure)
{
    setenv("CUDA_INJECTION64_PATH", library, 1);
    setenv("NVTX_INJECTION64_PATH", library, 1);
    execvp(program[0], program);
    const int error = errno;
    if (write(failure, &error, sizeof(error)) != sizeof(error))
        _exit(CANNOT_RUN);
    _exit(error == ENOENT ? NOT_FOUND : CANNOT_RUN);
}

static outcome cannot_run(const char *program, int error)
{
    fprintf(stderr, "tprof-record: cannot run %s: %s\n", program, strerror(error));
    return (outcome){.status = error == ENOENT ? NOT_FOUND : CANNOT_RUN};
}

// Waits for the program's end; a pipe that was closed by exec() says that it was run.
static outcome wait_for(pid_t child, const char *program, int failure)
{
    int status = 0, error = 0;
    const bool failed = read(failure, &error, sizeof(error)) == sizeof(error);

    while (waitpid(child, &status, 0) < 0)
        if (errno != EINTR)
            return (outcome){.status = CANNOT_RUN, .ran = !failed};
    running = 0;
    if (failed)
        return cannot_run(program, error);
    return (outcome){
        .status = WIFSIGNALED(status) ? SIGNALLED + WTERMSIG(status) : WEXITSTATUS(status),
        .ran = true,
    };
}

// Signals that come before they can be handed on wait until then.
static outcome run_program(char **program, const char *library)
{
    const sigset_t later = signals_handed_on();
    sigset_t before;
    int failure[2];

    if (pipe2(failure, O_CLOEXEC) != 0)
        return cannot_run(program[0], errno);
    sigprocmask(SIG_BLOCK, &later, &before);
    const pid_t child = fork();
    const int error = errno;
    if (child > 0)
        hand_on_to(child);
    sigprocmask(SIG_SETMASK, &before, NULL);
    if (child == 0)
        become_program(program, library, failure[1]);
    close(failure[1]);
    const outcome ended =
        child > 0 ? wait_for(child, program[0], failure[0]) : cannot_run(program[0], error);
    close(failure[0]);
    return ended;
}

// ---- All together

// The program may change its folder before it makes the first trace.
static bool make_absolute(const char *dir)
{
    char here[PATH_MAX];
    char path[2 * PATH_MAX];
    if (dir[0] == '/')
        return true;
    if (!getcwd(here, sizeof(here)) ||
        snprintf(path, sizeof(path), "%s/%s", here, dir) >= (int)sizeof(path))
        return false;
    return setenv(tp_inject_variable_name(TP_INJECT_DIR), path, 1) == 0;
}

// Runs the program with a folder for its reports; its status.
static int record(const arguments *args, const char *library)
{
    char folder[] = "/tmp/tprof-record-XXXXXX";
    tp_inject_settings settings;
    char why[512];

    if (!tp_inject_settings_read(environment, &settings, why, sizeof(why)))
        return complain(why, "");
    char shown[PATH_MAX];
    snprintf(shown, sizeof(shown), "%s", settings.dir); // setenv() frees what it points to
    if (!make_absolute(settings.dir))
        return complain("this folder has no usable path", "");
    if (!mkdtemp(folder)) {
        fprintf(stderr, "tprof-record: /tmp: %s\n", strerror(errno));
        return CANNOT_RUN;
    }
    setenv(tp_inject_variable_name(TP_INJECT_REPORT), folder, 1);

    const outcome ended = run_program(args->program, library);
    const record_report report = record_report_collect(folder);
    if (!args->quiet && ended.ran)
        record_report_tell(&report, shown);
    return ended.status;
}

int main(int argc, char **argv)
{
    arguments args = {0};
    char library[PATH_MAX];

    (void)argc;
    const int wrong = read_arguments(argv + 1, &args);
    if (wrong)
        return wrong;
    if (args.help)
        return usage(stdout, 0);
    if (args.version) {
        printf("tprof-record %s\n", TPROF_VERSION);
        return 0;
    }
    if (!args.program[0])
        return complain("no program is named", "");
    if (!find_library(library)) {
        fputs("tprof-record: libtprof_inject.so is neither beside this program nor in "
              "../" TPROF_LIBDIR "\n",
              stderr);
        return CANNOT_RUN;
    }
    return record(&args, library);
}
