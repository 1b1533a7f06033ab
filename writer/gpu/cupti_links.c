// SPDX-License-Identifier: BSD-3-Clause
// What each thread's launches belong to, as CUPTI is told: stacks that it keeps for each thread.
#include "gpu/cupti_links.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

// CUPTI holds the outermost `held` ids that are open, but that its last one is the innermost of
// all: beyond the depth that it takes, the last place is for whichever that is.
typedef struct chain {
    uint32_t *ids; // open ones, the innermost last
    uint32_t count, capacity, held;
    bool given_up; // CUPTI did not let go of an id
} chain;

typedef struct links {
    chain of[2]; // tp_gpu_link
} links;

// Only a pointer is thread-local: a library that is loaded late has little room for more.
static _Thread_local links *own;
static pthread_key_t own_key;
static pthread_once_t own_once = PTHREAD_ONCE_INIT;

static const char *refused_call;
static CUptiResult refused_result;
static bool stale;

static void thread_exits(void *arg)
{
    links *l = arg;
    own = NULL;
    free(l->of[0].ids);
    free(l->of[1].ids);
    free(l);
}

static void make_key(void)
{
    pthread_key_create(&own_key, thread_exits);
}

static links *own_links(void)
{
    if (own)
        return own;
    pthread_once(&own_once, make_key);
    own = calloc(1, sizeof(*own));
    if (own)
        pthread_setspecific(own_key, own);
    return own;
}

static void note_refusal(const char *call, CUptiResult result)
{
    if (__atomic_load_n(&refused_call, __ATOMIC_RELAXED))
        return;
    __atomic_store_n(&refused_result, result, __ATOMIC_RELAXED);
    __atomic_store_n(&refused_call, call, __ATOMIC_RELEASE);
}

// The chain of a kind, with the number that CUPTI knows the kind by.
typedef struct told {
    const tp_cupti *cupti;
    CUpti_ExternalCorrelationKind kind;
    chain *chain;
} told;

static told told_of(const tp_cupti *cupti, tp_gpu_link link, links *l)
{
    const tp_cupti_external_kind kind =
        link == TP_GPU_LINK_OP ? TP_CUPTI_EXTERNAL_OP : TP_CUPTI_EXTERNAL_ANNOTATION;
    return (told){cupti, (CUpti_ExternalCorrelationKind)kind, &l->of[link]};
}

static CUptiResult give(const told *t, uint32_t id)
{
    const CUptiResult result = t->cupti->cuptiActivityPushExternalCorrelationId(t->kind, id);
    t->chain->held += result == CUPTI_SUCCESS;
    return result;
}

// Where it fails, 0 covers what stays: the number of no range.
static bool take_back(const told *t)
{
    uint64_t id;
    const CUptiResult result = t->cupti->cuptiActivityPopExternalCorrelationId(t->kind, &id);

    if (result == CUPTI_SUCCESS) {
        t->chain->held--;
        return true;
    }
    note_refusal("cuptiActivityPopExternalCorrelationId", result);
    t->chain->given_up = true;
    if (give(t, 0) != CUPTI_SUCCESS)
        __atomic_store_n(&stale, true, __ATOMIC_RELAXED);
    return false;
}

// Puts the innermost id into the last place that CUPTI has.
static void replace_last(const told *t, CUptiResult refusal)
{
    chain *c = t->chain;
    if (c->held > 0) {
        if (!take_back(t))
            return;
        refusal = give(t, c->ids[c->count - 1]);
    }
    if (refusal != CUPTI_SUCCESS)
        note_refusal("cuptiActivityPushExternalCorrelationId", refusal);
}

// CUPTI keeps the outermost `kept` ids and gets the others anew.
static void settle(const told *t, uint32_t kept)
{
    chain *c = t->chain;
    CUptiResult result = CUPTI_SUCCESS;

    while (c->held > kept)
        if (!take_back(t))
            return;
    while (c->held < c->count && result == CUPTI_SUCCESS)
        result = give(t, c->ids[c->held]);
    if (c->held < c->count)
        replace_last(t, result);
}

static bool has_room(chain *c)
{
    if (c->count < c->capacity)
        return true;
    const uint32_t capacity = c->capacity ? 2 * c->capacity : 32;
    uint32_t *ids = realloc(c->ids, capacity * sizeof(*ids));
    if (!ids)
        return false;
    c->ids = ids;
    c->capacity = capacity;
    return true;
}

void tp_links_push(const tp_cupti *cupti, tp_gpu_link link, uint32_t id)
{
    links *l = own_links();
    if (!l || l->of[link].given_up || !has_room(&l->of[link]))
        return;

    const told t = told_of(cupti, link, l);
    chain *c = t.chain;
    const bool fits = c->held == c->count;
    c->ids[c->count++] = id;
    if (fits)
        settle(&t, c->held);
    else
        replace_last(&t, CUPTI_SUCCESS);
}

// The place of an open id, counted from 1; 0 where it is not open here.
static uint32_t place_of(const chain *c, uint32_t id)
{
    uint32_t place = c->count;
    while (place > 0 && c->ids[place - 1] != id)
        place--;
    return place;
}

void tp_links_pop(const tp_cupti *cupti, tp_gpu_link link, uint32_t id)
{
    if (!own || own->of[link].given_up)
        return;
    const told t = told_of(cupti, link, own);
    chain *c = t.chain;
    const uint32_t place = place_of(c, id);
    if (place == 0)
        return;

    const bool innermost = place == c->count;
    memmove(c->ids + place - 1, c->ids + place, (c->count - place) * sizeof(*c->ids));
    c->count--;
    if (innermost && c->held > c->count)
        settle(&t, c->count);
    else if (innermost)
        replace_last(&t, CUPTI_SUCCESS);
    else if (place < c->held)
        settle(&t, place - 1);
}

const char *tp_links_refused(CUptiResult *result)
{
    const char *call = __atomic_load_n(&refused_call, __ATOMIC_ACQUIRE);
    *result = __atomic_load_n(&refused_result, __ATOMIC_RELAXED);
    return call;
}

bool tp_links_stale(void)
{
    return __atomic_load_n(&stale, __ATOMIC_RELAXED);
}

// CUPTI's copy of its stacks is left as it is: a child has no driver to launch with.
void tp_links_in_child(void)
{
    for (int link = 0; own && link < 2; link++)
        own->of[link].count = own->of[link].held = 0;
}
