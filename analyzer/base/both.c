// SPDX-License-Identifier: BSD-3-Clause
// Two pieces of work, side by side.
#include "base/both.h"

#include <pthread.h>

typedef struct piece {
    void (*work)(void *self);
    void *self;
} piece;

static void *piece_main(void *arg)
{
    const piece *const p = arg;
    p->work(p->self);
    return NULL;
}

void do_both(bool side_by_side, void (*first)(void *self), void (*second)(void *self), void *self)
{
    piece other = {second, self};
    pthread_t thread;
    const bool started = side_by_side && pthread_create(&thread, NULL, piece_main, &other) == 0;

    first(self);
    if (started)
        pthread_join(thread, NULL);
    else
        second(self);
}
