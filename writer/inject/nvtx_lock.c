// SPDX-License-Identifier: BSD-3-Clause
// The one lock of what is kept of NVTX: open ranges, categories, names of threads.
#include "inject/nvtx_lock.h"

#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void take(void)
{
    pthread_mutex_lock(&lock);
}

static void guard_fork(void)
{
    pthread_atfork(take, tp_nvtx_unlock, tp_nvtx_unlock);
}

void tp_nvtx_lock(void)
{
    pthread_once(&once, guard_fork);
    take();
}

void tp_nvtx_unlock(void)
{
    pthread_mutex_unlock(&lock);
}
