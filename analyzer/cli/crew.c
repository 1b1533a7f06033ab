// SPDX-License-Identifier: BSD-3-Clause
// Threads that read inputs and report workers.
#include "cli/crew.h"

#include "cli/progress.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <time.h>

typedef struct crew crew;

typedef struct crew_member {
    crew *crew;
    pthread_t thread;
    job_reading reading; // guarded by crew.mutex
} crew_member;

struct crew {
    job *job;
    crew_member *members;
    uint32_t member_count;
    bool two_threads; // for each input
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    uint32_t next_unit, next_input; // to be read
    uint32_t done;                  // inputs
    uint64_t done_bytes;
    uint32_t working; // members
};

static void publish(void *self, job_reading reading)
{
    crew_member *m = self;

    pthread_mutex_lock(&m->crew->mutex);
    m->reading = reading;
    pthread_mutex_unlock(&m->crew->mutex);
}

// The next input and its unit, in the order of the listing; false where none is left.
static bool take_next(crew *c, job_input **in, job_unit **u)
{
    const job *j = c->job;
    bool found = false;

    pthread_mutex_lock(&c->mutex);
    if (c->next_input < j->input_count) {
        *u = &j->units[c->next_unit];
        *in = &j->inputs[c->next_input++];
        if (c->next_input == (*u)->first + (*u)->count)
            c->next_unit++;
        found = true;
    }
    pthread_mutex_unlock(&c->mutex);
    return found;
}

static void count_done(crew *c, const job_input *in)
{
    pthread_mutex_lock(&c->mutex);
    c->done++;
    c->done_bytes += in->size > 0 ? (uint64_t)in->size : 0;
    pthread_mutex_unlock(&c->mutex);
}

static void *member_main(void *self)
{
    crew_member *m = self;
    crew *c = m->crew;
    job_input *in;
    job_unit *u;

    while (take_next(c, &in, &u)) {
        job_read(c->job, in, c->two_threads, publish, m);
        count_done(c, in);
        if (atomic_fetch_sub(&u->unread, 1) == 1)
            job_report_unit(c->job, u);
    }
    pthread_mutex_lock(&c->mutex);
    c->working--;
    pthread_cond_signal(&c->changed);
    pthread_mutex_unlock(&c->mutex);
    return NULL;
}

static uint64_t bytes_so_far(const crew *c)
{
    uint64_t bytes = c->done_bytes;
    for (uint32_t i = 0; i < c->member_count; i++) {
        const job_reading *const r = &c->members[i].reading;
        for (int half = 0; half < 2; half++)
            bytes += r->at[half] ? input_stored_bytes(r->at[half]) : 0;
        bytes -= r->in_front;
    }
    return bytes;
}

static uint64_t bytes_of_all(const job *j)
{
    uint64_t bytes = 0;
    for (uint32_t i = 0; i < j->input_count; i++)
        bytes += j->inputs[i].size > 0 ? (uint64_t)j->inputs[i].size : 0;
    return bytes;
}

// Draws a bar ten times a second, from a quarter of a second on, until all members are done.
static void watch(crew *c)
{
    enum { FIRST_NS = 250000000, NEXT_NS = 100000000, SECOND_NS = 1000000000 };
    const uint64_t all_bytes = bytes_of_all(c->job);
    progress bar = progress_start(c->job->options->quiet ? "never" : c->job->options->progress);
    struct timespec until;

    clock_gettime(CLOCK_REALTIME, &until);
    pthread_mutex_lock(&c->mutex);
    for (long wait = FIRST_NS; c->working; wait = NEXT_NS) {
        until.tv_nsec += wait;
        until.tv_sec += until.tv_nsec / SECOND_NS;
        until.tv_nsec %= SECOND_NS;
        int result = 0;
        while (c->working && result != ETIMEDOUT)
            result = pthread_cond_timedwait(&c->changed, &c->mutex, &until);
        if (c->working)
            progress_draw(&bar, bytes_so_far(c), all_bytes, c->done, c->job->input_count);
    }
    pthread_mutex_unlock(&c->mutex);
    progress_end(&bar);
}

void crew_run(job *j)
{
    const uint32_t jobs = (uint32_t)j->options->jobs;
    crew c = {.job = j, .two_threads = jobs > j->input_count};

    if (j->input_count == 0)
        return;
    // Once the only worker is read, or where there are more threads than inputs, one is idle.
    j->spare_thread = jobs > j->input_count || (jobs > 1 && j->unit_count == 1);
    pthread_mutex_init(&c.mutex, NULL);
    pthread_cond_init(&c.changed, NULL);
    c.member_count = jobs < j->input_count ? jobs : j->input_count;
    c.members = arena_new(j->arena, crew_member, c.member_count);
    c.working = c.member_count;

    uint32_t started = 0;
    for (; started < c.member_count; started++) {
        c.members[started].crew = &c;
        if (pthread_create(&c.members[started].thread, NULL, member_main, &c.members[started]))
            break;
    }
    // Where the system gives no thread, this one does the work.
    for (uint32_t i = started; i < c.member_count; i++) {
        c.members[i].crew = &c;
        member_main(&c.members[i]);
    }
    watch(&c);
    for (uint32_t i = 0; i < started; i++)
        pthread_join(c.members[i].thread, NULL);
    pthread_cond_destroy(&c.changed);
    pthread_mutex_destroy(&c.mutex);
}
