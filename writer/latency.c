// SPDX-License-Identifier: BSD-3-Clause
// Latency of one thing measured many times: every sample is kept.
#include "out/json_writer.h"
#include "process_facts.h"
#include "tprof/tprof.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

struct tprof_latency {
    uint64_t warmup, items;
    int64_t *samples;
    uint64_t count, capacity;
    int64_t begin_ns;
    bool open;
};

static int64_t now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

tprof_status tprof_latency_create(uint64_t warmup, uint64_t items, tprof_latency **out)
{
    *out = NULL;
    if (items == 0 || items > INT64_MAX)
        return TPROF_ERR_ARGUMENT;
    tprof_latency *latency = calloc(1, sizeof(*latency));
    if (!latency)
        return TPROF_ERR_MEMORY;
    latency->warmup = warmup;
    latency->items = items;
    *out = latency;
    return TPROF_OK;
}

void tprof_latency_destroy(tprof_latency *latency)
{
    if (latency)
        free(latency->samples);
    free(latency);
}

void tprof_latency_begin(tprof_latency *latency)
{
    latency->open = true;
    latency->begin_ns = now_ns();
}

tprof_status tprof_latency_end(tprof_latency *latency)
{
    const int64_t end_ns = now_ns();

    if (!latency->open)
        return TPROF_ERR_STATE;
    latency->open = false;
    return tprof_latency_add(latency, end_ns - latency->begin_ns);
}

tprof_status tprof_latency_add(tprof_latency *latency, int64_t duration_ns)
{
    if (duration_ns < 0)
        return TPROF_ERR_ARGUMENT;
    if (latency->count == latency->capacity) {
        const uint64_t capacity = latency->capacity ? 2 * latency->capacity : 256;
        int64_t *samples = realloc(latency->samples, capacity * sizeof(*samples));
        if (!samples)
            return TPROF_ERR_MEMORY;
        latency->samples = samples;
        latency->capacity = capacity;
    }
    latency->samples[latency->count++] = duration_ns;
    return TPROF_OK;
}

static int by_size(const void *a, const void *b)
{
    const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

void tprof_latency_summarize(const tprof_latency *latency, tprof_latency_summary *summary)
{
    memset(summary, 0, sizeof(*summary));
    summary->warmup = latency->count < latency->warmup ? latency->count : latency->warmup;
    const uint64_t count = latency->count - summary->warmup;
    if (count == 0)
        return;
    int64_t *sorted = malloc(count * sizeof(*sorted));
    if (!sorted)
        return;

    memcpy(sorted, latency->samples + summary->warmup, count * sizeof(*sorted));
    qsort(sorted, count, sizeof(*sorted), by_size);
    double sum = 0;
    for (uint64_t i = 0; i < count; i++)
        sum += (double)sorted[i];
    summary->count = count;
    summary->min_ns = sorted[0];
    summary->max_ns = sorted[count - 1];
    summary->mean_ns = sum / (double)count;
    summary->median_ns = ((double)sorted[(count - 1) / 2] + (double)sorted[count / 2]) / 2;
    summary->p95_ns = sorted[(95 * count + 99) / 100 - 1];
    summary->samples_per_second =
        sum > 0 ? (double)count * (double)latency->items / (sum / 1e9) : 0;
    free(sorted);
}

const int64_t *tprof_latency_samples(const tprof_latency *latency, uint64_t *count)
{
    *count = latency->count;
    return latency->samples;
}

static void write_summary(tp_json *json, const tprof_latency *latency)
{
    tprof_latency_summary summary;

    tprof_latency_summarize(latency, &summary);
    tp_json_object_begin(json);
    tp_json_key_int(json, "count", (int64_t)summary.count);
    tp_json_key_int(json, "warmup", (int64_t)summary.warmup);
    tp_json_key_int(json, "items", (int64_t)latency->items);
    if (summary.count) {
        tp_json_key_int(json, "min_ns", summary.min_ns);
        tp_json_key_int(json, "max_ns", summary.max_ns);
        tp_json_key_double(json, "mean_ns", summary.mean_ns);
        tp_json_key_double(json, "median_ns", summary.median_ns);
        tp_json_key_int(json, "p95_ns", summary.p95_ns);
        tp_json_key_double(json, "samples_per_second", summary.samples_per_second);
    }
    tp_json_object_end(json);
}

tprof_status tprof_latency_export(const tprof_latency *latency,
                                  const tprof_environment *environment, const char *path)
{
    tp_sink *sink;
    tp_json json;

    if (!path || !*path)
        return TPROF_ERR_ARGUMENT;
    const tprof_status status = tp_sink_named_open(path, path, &sink, NULL);
    if (status != TPROF_OK)
        return status;

    tp_json_open(&json, sink, 2);
    tp_json_object_begin(&json);
    tp_json_key_int(&json, "schema_version", 1);
    tp_json_key(&json, "summary");
    write_summary(&json, latency);
    tp_json_key(&json, tprof_key_word(TPROF_KEY_ENVIRONMENT));
    if (environment)
        tp_facts_environment_json(&json, environment);
    else
        tp_json_null(&json);
    tp_json_key(&json, "samples_ns");
    tp_json_array_begin(&json);
    for (uint64_t i = 0; i < latency->count; i++)
        tp_json_int(&json, latency->samples[i]);
    tp_json_array_end(&json);
    tp_json_object_end(&json);
    tp_json_close(&json);
    return tp_sink_close(sink, NULL);
}
