// SPDX-License-Identifier: BSD-3-Clause
// What a trace says of its process: host, ranks, environment record.
#include "process_facts.h"

#include "names.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

#define ARRAY_LEN(array) (sizeof(array) / sizeof((array)[0]))

const char *tp_facts_process_name(void)
{
    char line[4096] = "";
    const int fd = open("/proc/self/cmdline", O_RDONLY | O_CLOEXEC);

    if (fd >= 0) {
        const ssize_t size = read(fd, line, sizeof(line) - 1);
        line[size > 0 ? size : 0] = '\0';
        close(fd);
    }
    const char *slash = strrchr(line, '/');
    const char *name = slash ? slash + 1 : line;
    return tp_name_intern(name, strlen(name));
}

const char *tp_facts_host_name(void)
{
    static _Thread_local char name[256];

    if (gethostname(name, sizeof(name) - 1) != 0 || !name[0])
        snprintf(name, sizeof(name), "localhost");
    return name;
}

static bool number_of(const char *variable, int32_t *number)
{
    const char *text = getenv(variable);
    char *end;

    if (!text || !*text)
        return false;
    errno = 0;
    const long value = strtol(text, &end, 10);
    if (errno || *end || value < 0 || value > INT32_MAX)
        return false;
    *number = (int32_t)value;
    return true;
}

bool tp_facts_find_distributed(tprof_distributed *distributed)
{
    static const struct {
        const char *rank, *size;
    } launchers[] = {
        {"RANK",                 "WORLD_SIZE"          },
        {"SLURM_PROCID",         "SLURM_NTASKS"        },
        {"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"},
        {"PMI_RANK",             "PMI_SIZE"            },
    };

    for (size_t i = 0; i < ARRAY_LEN(launchers); i++) {
        tprof_distributed found = {0};
        if (number_of(launchers[i].rank, &found.rank) &&
            number_of(launchers[i].size, &found.world_size) && found.rank < found.world_size) {
            *distributed = found;
            return true;
        }
    }
    return false;
}

// Makes a JSON value with `write` and adds it.
static bool add_value(tp_capture *to, tprof_key key, void (*write)(tp_json *json, const void *what),
                      const void *what)
{
    tp_json json;
    tp_sink *sink;

    if (tp_sink_memory_open(0, &sink) != TPROF_OK)
        return false;
    tp_json_open(&json, sink, 0);
    write(&json, what);
    tp_json_close(&json);
    const bool added =
        sink->status == TPROF_OK &&
        tp_capture_add_json(to, tprof_key_word(key), tp_sink_memory_data(sink, NULL));
    tp_sink_abandon(sink);
    return added;
}

static void write_distributed(tp_json *json, const void *what)
{
    const tprof_distributed *distributed = what;

    tp_json_object_begin(json);
    if (distributed->backend)
        tp_json_key_string(json, "backend", distributed->backend);
    tp_json_key_int(json, "rank", distributed->rank);
    tp_json_key_int(json, "world_size", distributed->world_size);
    tp_json_object_end(json);
}

bool tp_facts_add_distributed(tp_capture *to, const tprof_distributed *distributed)
{
    return add_value(to, TPROF_KEY_DISTRIBUTED_INFO, write_distributed, distributed);
}

static void text_entry(tp_json *json, tprof_environment_key key, const char *text)
{
    if (text)
        tp_json_key_string(json, tprof_environment_word(key), text);
}

static void number_entry(tp_json *json, tprof_environment_key key, int64_t number)
{
    if (number)
        tp_json_key_int(json, tprof_environment_word(key), number);
}

// A key may stand in an object once.
static bool is_first_of_name(const tprof_environment *environment, int32_t index)
{
    const char *const name = environment->versions[index].name;

    for (int32_t i = 0; name && i < index; i++)
        if (environment->versions[i].name && strcmp(environment->versions[i].name, name) == 0)
            return false;
    return name != NULL;
}

void tp_facts_environment_json(tp_json *json, const tprof_environment *environment)
{
    tp_json_object_begin(json);
    text_entry(json, TPROF_ENVIRONMENT_MODEL, environment->model);
    text_entry(json, TPROF_ENVIRONMENT_INPUT_SHAPES, environment->input_shapes);
    text_entry(json, TPROF_ENVIRONMENT_DTYPE, environment->dtype);
    text_entry(json, TPROF_ENVIRONMENT_DEVICE, environment->device);
    number_entry(json, TPROF_ENVIRONMENT_BATCH_SIZE, environment->batch_size);
    number_entry(json, TPROF_ENVIRONMENT_THREADS, environment->threads);
    if (environment->versions && environment->version_count > 0) {
        tp_json_key(json, tprof_environment_word(TPROF_ENVIRONMENT_VERSIONS));
        tp_json_object_begin(json);
        for (int32_t i = 0; i < environment->version_count; i++)
            if (is_first_of_name(environment, i))
                tp_json_key_string(json, environment->versions[i].name,
                                   environment->versions[i].version);
        tp_json_object_end(json);
    }
    tp_json_object_end(json);
}

static void write_environment(tp_json *json, const void *what)
{
    tp_facts_environment_json(json, what);
}

bool tp_facts_add_environment(tp_capture *to, const tprof_environment *environment)
{
    return add_value(to, TPROF_KEY_ENVIRONMENT, write_environment, environment);
}

bool tp_facts_add_process(tp_capture *to)
{
    char recorder[64];

    snprintf(recorder, sizeof(recorder), "libtprof %s", tprof_version());
    return tp_capture_add_text(to, tprof_key_word(TPROF_KEY_RECORDER), recorder) &&
           tp_capture_add_text(to, tprof_key_word(TPROF_KEY_HOST_NAME), tp_facts_host_name());
}

bool tp_facts_add_trace_id(tp_capture *to)
{
    unsigned char bytes[16];
    char text[2 * sizeof(bytes) + 1];

    if (getrandom(bytes, sizeof(bytes), GRND_NONBLOCK) != (ssize_t)sizeof(bytes))
        return true; // a trace without an id is a trace all the same
    // A random UUID, version 4.
    bytes[6] = (unsigned char)((bytes[6] & 0x0f) | 0x40);
    bytes[8] = (unsigned char)((bytes[8] & 0x3f) | 0x80);
    for (size_t i = 0; i < sizeof(bytes); i++)
        snprintf(text + 2 * i, 3, "%02X", bytes[i]);
    return tp_capture_add_text(to, tprof_key_word(TPROF_KEY_TRACE_ID), text);
}
