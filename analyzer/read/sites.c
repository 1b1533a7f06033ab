// SPDX-License-Identifier: BSD-3-Clause
// Learned gaps.
#include "read/site_joins.h"

enum {
    MISSES_CHECKED = 4096,
    BYTES_PER_MISS = 64, // less text than this for a miss, on average, and tokenizing is faster
};

void sites_begin(sites *t, arena *a, uint32_t round)
{
    t->items = arena_alloc_array(a, sizeof(site), SITES_MAX, 64);
    sites_watch_begin(t, a, round);
    t->count = 2;
    t->items[true].in_args = true;
}

static bool same(const site *s, const site_gap *gap)
{
    return !s->joined && s->length == gap->bytes.length && s->from_args == gap->from_args &&
           memcmp(s->literal, gap->bytes.at, s->length) == 0;
}

static site *add(sites *t, const site_gap *gap)
{
    const chrome_field *field = &CHROME_FIELDS[gap->key];
    site *s = &t->items[t->count++];

    memcpy(s->literal, gap->bytes.at, gap->bytes.length);
    s->length = (uint8_t)gap->bytes.length;
    s->brace = (int8_t)gap->brace;
    s->special = gap->brace != SITE_NO_BRACE;
    s->from_args = gap->from_args;
    s->in_args = gap->in_args;
    s->key = (uint8_t)gap->key;
    s->take = (uint8_t)field->kind;
    s->bit = field->bit;
    s->offset = field->offset;
    return s;
}

static site *find_or_add(sites *t, const site_gap *gap)
{
    for (uint32_t i = 2; i < t->count; i++)
        if (same(&t->items[i], gap))
            return &t->items[i];
    return t->count < SITES_MAX ? add(t, gap) : NULL;
}

// Where too many follow, the last place is for the latest.
static void follow(site *before, site *s)
{
    for (uint32_t i = 0; i < before->follower_count; i++)
        if (before->followers[i] == s)
            return;
    const uint8_t at =
        before->follower_count < SITE_FOLLOWERS ? before->follower_count++ : SITE_FOLLOWERS - 1;
    before->followers[at] = s;
}

site *sites_learn(sites *t, site *before, const site_gap *gap, uint64_t offset)
{
    if (++t->misses == MISSES_CHECKED) {
        t->off = offset - t->checked < (uint64_t)MISSES_CHECKED * BYTES_PER_MISS;
        t->misses = 0;
        t->checked = offset;
    }
    if (gap->bytes.length == 0 || gap->bytes.length > SITE_BYTES)
        return sites_loose(t, gap->in_args);

    site *s = find_or_add(t, gap);
    if (!s)
        return sites_loose(t, gap->in_args);
    follow(before, s);
    return s;
}
