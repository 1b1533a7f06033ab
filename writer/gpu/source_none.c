// SPDX-License-Identifier: BSD-3-Clause
// The GPU source of a build without CUPTI: there is none.
#include "gpu/source.h"

tprof_status tp_gpu_open(void)
{
    return TPROF_ERR_GPU;
}

void tp_gpu_track_memory(void)
{
}

tprof_status tp_gpu_prepare(void)
{
    return TPROF_ERR_GPU;
}

tprof_status tp_gpu_start(void)
{
    return TPROF_ERR_GPU;
}

void tp_gpu_flush(void)
{
}

void tp_gpu_stop(void)
{
}

void tp_gpu_collect(tp_capture *into)
{
    (void)into;
}

void tp_gpu_close(void)
{
}

void tp_gpu_before_fork(void)
{
}

void tp_gpu_in_parent(void)
{
}

void tp_gpu_in_child(void)
{
}

const char *tp_gpu_error(void)
{
    return "libtprof was built without CUPTI";
}

const char *tp_gpu_source_name(void)
{
    return "no cupti";
}

void tp_gpu_push(tp_gpu_link link, uint32_t id)
{
    (void)link;
    (void)id;
}

void tp_gpu_pop(tp_gpu_link link, uint32_t id)
{
    (void)id;
    (void)link;
}
