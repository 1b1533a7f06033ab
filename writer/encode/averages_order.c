// SPDX-License-Identifier: BSD-3-Clause
// Rows of the key_averages table in the order of one of torch's sort keys.
#include "encode/encode_averages.h"

#include <stdlib.h>
#include <string.h>

typedef struct sort_key {
    const char *name;
    size_t offset; // of a field of 64 bits in tprof_average
    bool mean;     // that field over the number of calls
} sort_key;

#define KEY(name, field)                                                                           \
    {                                                                                              \
        name, offsetof(tprof_average, field), false                                                \
    }
#define MEAN_KEY(name, field)                                                                      \
    {                                                                                              \
        name, offsetof(tprof_average, field), true                                                 \
    }

static const sort_key SORT_KEYS[] = {
    MEAN_KEY("cpu_time", cpu_total_ns),
    KEY("cpu_time_total", cpu_total_ns),
    KEY("self_cpu_time_total", self_cpu_total_ns),
    MEAN_KEY("device_time", device_total_ns),
    MEAN_KEY("cuda_time", device_total_ns),
    MEAN_KEY("xpu_time", device_total_ns),
    KEY("device_time_total", device_total_ns),
    KEY("cuda_time_total", device_total_ns),
    KEY("xpu_time_total", device_total_ns),
    KEY("self_device_time_total", self_device_total_ns),
    KEY("self_cuda_time_total", self_device_total_ns),
    KEY("self_xpu_time_total", self_device_total_ns),
    KEY("cpu_memory_usage", cpu_memory_bytes),
    KEY("self_cpu_memory_usage", self_cpu_memory_bytes),
    KEY("device_memory_usage", device_memory_bytes),
    KEY("cuda_memory_usage", device_memory_bytes),
    KEY("xpu_memory_usage", device_memory_bytes),
    KEY("self_device_memory_usage", self_device_memory_bytes),
    KEY("self_cuda_memory_usage", self_device_memory_bytes),
    KEY("self_xpu_memory_usage", self_device_memory_bytes),
    KEY("count", count),
};

typedef struct ranked {
    double value;
    size_t row;
} ranked;

static int largest_first(const void *left, const void *right)
{
    const ranked *a = left, *b = right;
    if (a->value != b->value)
        return a->value > b->value ? -1 : 1;
    return a->row < b->row ? -1 : 1;
}

static double sort_value(const sort_key *key, const tprof_average *row)
{
    int64_t field;
    memcpy(&field, (const char *)row + key->offset, sizeof(field));
    return key->mean ? (double)field / (double)row->count : (double)field;
}

static const sort_key *find_sort_key(const char *name)
{
    for (size_t i = 0; i < sizeof(SORT_KEYS) / sizeof(*SORT_KEYS); i++)
        if (strcmp(SORT_KEYS[i].name, name) == 0)
            return &SORT_KEYS[i];
    return NULL;
}

size_t *tp_averages_order(const tprof_averages *averages, const char *sort_by)
{
    const sort_key *key = sort_by ? find_sort_key(sort_by) : NULL;
    const size_t count = averages->count;
    ranked *list = malloc((count + 1) * sizeof(*list));
    size_t *order = malloc((count + 1) * sizeof(*order));

    if (!list || !order || (sort_by && !key)) {
        free(list);
        free(order);
        return NULL;
    }
    for (size_t i = 0; i < count; i++)
        list[i] = (ranked){key ? sort_value(key, &averages->rows[i]) : 0.0, i};
    qsort(list, count, sizeof(*list), largest_first);
    for (size_t i = 0; i < count; i++)
        order[i] = list[i].row;
    free(list);
    return order;
}
