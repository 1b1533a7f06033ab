// SPDX-License-Identifier: BSD-3-Clause
// The one lock of what is kept of NVTX: open ranges, categories, names of threads.
#ifndef INJECT_NVTX_LOCK_H
#define INJECT_NVTX_LOCK_H

// Any thread; not twice. Nothing that takes another lock is called while it is held. fork() waits
// for it, so that a child finds it free, whatever the threads it lacks were doing.
void tp_nvtx_lock(void);
void tp_nvtx_unlock(void);

#endif
