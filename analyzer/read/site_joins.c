// SPDX-License-Identifier: BSD-3-Clause
// Sites that are joined. The values at a site are watched for a while: where a few of them are all
// that stands there, each of these becomes part of a literal, with the gaps before and behind it.
#include "read/site_joins.h"

enum {
    ROUND_DEFAULT = 4096,
    ROUNDS_AT_ONCE = 6,            // joined sites are joined again
    REST_BYTES = 16 * 1024 * 1024, // between later rounds
    VALUE_BYTES = 24,
    OTHERS_MOST = 16,
    WATCHED_MAX = 8,  // different values and what follows them
    OFTEN_SHARE = 20, // a twentieth of a site's values
    ROUND_SHARE = 64, // of a round's values, or there is nothing to learn from a site's
};

typedef struct seen_value {
    char bytes[VALUE_BYTES];
    uint8_t length;
    uint16_t next; // site behind it
    uint32_t count;
} seen_value;

struct site_watch {
    uint32_t total, others; // values, and those of them that `seen` has no room for
    uint8_t count;
    seen_value seen[WATCHED_MAX];
};

void sites_watch_begin(sites *t, arena *a, uint32_t round)
{
    t->watch = arena_new(a, site_watch, SITES_MAX);
    t->watched = t->round = round ? round : ROUND_DEFAULT;
}

static bool has_room(const site *s, take_kind take)
{
    if (take == TAKE_TEXT)
        return s->constant_count < SITE_CONSTANTS;
    return take == TAKE_PHASE ? s->phase == 0 : take == TAKE_NOTHING;
}

// Whether a value may be part of a literal: a null that stands for a text leaves its field out.
static bool is_constant(const site *s, text value)
{
    return has_room(s, (take_kind)s->take) && value.length <= VALUE_BYTES &&
           (s->take != TAKE_TEXT || value.at[0] != 'n');
}

static bool fits(const site *s, size_t value_length, const site *next)
{
    return next->brace == SITE_NO_BRACE && !(s->phase && next->phase) &&
           !(next->phase && s->take == TAKE_PHASE) &&
           !(next->constant_bits & (s->constant_bits | s->bit)) && !(s->constant_bits & s->bit) &&
           s->constant_count + next->constant_count + (s->take == TAKE_TEXT) <= SITE_CONSTANTS &&
           s->length + value_length + next->length <= SITE_BYTES;
}

// Names and ids are too many to be learned from: no more time is spent on them.
static bool is_hopeless(const site_watch *w)
{
    return w->others > OTHERS_MOST && w->others > w->total / 4;
}

static void count_value(site_watch *w, text value, uint16_t next)
{
    for (uint32_t i = 0; i < w->count; i++) {
        seen_value *const v = &w->seen[i];
        if (v->next == next && text_equal((text){v->bytes, v->length}, value)) {
            v->count++;
            return;
        }
    }
    if (w->count == WATCHED_MAX) {
        w->others++;
        return;
    }
    seen_value *const v = &w->seen[w->count++];
    memcpy(v->bytes, value.at, value.length);
    v->length = (uint8_t)value.length;
    v->next = next;
    v->count = 1;
}

static void add_constant(site *s, const site *of, size_t at, size_t length)
{
    s->constants[s->constant_count++] =
        (site_constant){of->bit, (uint16_t)of->offset, (uint8_t)at, (uint8_t)length};
    s->constant_bits |= of->bit;
}

static void take_constant(site *s, const site *of, const seen_value *v)
{
    const bool quoted = v->bytes[0] == '"';

    if (of->take == TAKE_PHASE)
        s->phase = v->bytes[1];
    else if (of->take == TAKE_TEXT)
        add_constant(s, of, (size_t)of->length + quoted, (size_t)v->length - 2 * quoted);
}

// The literal of `s`, the value, and the literal of `next`, whose value is the joined site's.
static site join(const site *s, const seen_value *v, const site *next)
{
    site made = *s;
    const size_t behind = (size_t)s->length + v->length;

    memcpy(made.literal + s->length, v->bytes, v->length);
    memcpy(made.literal + behind, next->literal, next->length);
    made.length = (uint8_t)(behind + next->length);
    made.joined = made.special = true;
    take_constant(&made, s, v);
    for (uint32_t i = 0; i < next->constant_count; i++) {
        made.constants[made.constant_count] = next->constants[i];
        made.constants[made.constant_count++].at += (uint8_t)behind;
    }
    made.constant_bits |= next->constant_bits;
    made.phase = next->phase ? next->phase : made.phase;
    made.bit = next->bit;
    made.offset = next->offset;
    made.take = next->take;
    made.key = next->key;
    made.in_args = next->in_args;
    memcpy(made.followers, next->followers, sizeof(made.followers));
    made.follower_count = next->follower_count;
    return made;
}

static bool same_literal(const site *x, const site *y)
{
    return x->joined && x->length == y->length && x->from_args == y->from_args &&
           memcmp(x->literal, y->literal, x->length) == 0;
}

// New or known; NULL where there is no room.
static site *keep(sites *t, const site *made)
{
    const uint32_t lane = FIELD_PROCESS | FIELD_THREAD;

    for (uint32_t i = 2; i < t->count; i++)
        if (same_literal(&t->items[i], made))
            return &t->items[i];
    if (t->count == SITES_MAX)
        return NULL;
    const uint16_t number = (uint16_t)t->count++;
    site *const s = &t->items[number];
    *s = *made;
    s->lane_token = (s->constant_bits & lane) == lane ? number : 0;
    s->category_token = s->constant_bits & FIELD_CATEGORY ? number : 0;
    return s;
}

static uint32_t place_of(const site *s, const site *follower)
{
    uint32_t at = 0;
    while (at < s->follower_count && s->followers[at] != follower)
        at++;
    return at;
}

// Wherever `to` is tried, `joined`, of which it is the beginning, is tried before it.
static void prefer(const sites *t, site *joined, const site *to)
{
    for (uint32_t i = 0; i < t->count; i++) {
        site *const s = &t->items[i];
        const uint32_t at = place_of(s, to);
        if (at == s->follower_count || s->follower_count == SITE_FOLLOWERS ||
            place_of(s, joined) < s->follower_count)
            continue;
        memmove(&s->followers[at + 1], &s->followers[at],
                (s->follower_count - at) * sizeof(*s->followers));
        s->followers[at] = joined;
        s->follower_count++;
    }
}

// Often enough to be part of a literal: what is tried in vain costs a compare.
static bool is_often(const seen_value *v, const site_watch *w)
{
    return (uint64_t)v->count * OFTEN_SHARE >= w->total;
}

// Are the values that occur often nearly all that was seen?
static bool is_worth_it(const site_watch *w, uint32_t round)
{
    uint64_t often = 0;
    for (uint32_t i = 0; i < w->count; i++)
        often += is_often(&w->seen[i], w) ? w->seen[i].count : 0;
    return w->total >= round / ROUND_SHARE && often * 4 >= (uint64_t)w->total * 3;
}

static void join_site(sites *t, uint16_t number)
{
    const site_watch *const w = &t->watch[number];

    if (!is_worth_it(w, t->round))
        return;
    for (uint32_t i = 0; i < w->count; i++) {
        const seen_value *const v = &w->seen[i];
        const site *const s = &t->items[number], *const next = &t->items[v->next];
        if (!is_often(v, w) || !fits(s, v->length, next))
            continue;
        const site made = join(s, v, next);
        site *const joined = keep(t, &made);
        if (joined)
            prefer(t, joined, s);
    }
}

static void join_all(sites *t)
{
    const uint32_t count = t->count; // sites that are made here are not watched yet

    for (uint32_t i = 2; i < count; i++)
        join_site(t, (uint16_t)i);
    memset(t->watch, 0, sizeof(*t->watch) * count);
    t->watched = ++t->rounds < ROUNDS_AT_ONCE ? t->round : 0;
}

static bool begins_with(const site *s, const site *beginning)
{
    return s->length >= beginning->length &&
           memcmp(s->literal, beginning->literal, beginning->length) == 0;
}

// What follows often is tried sooner. A literal that begins with another one stays before it.
static void promote(site *before, const site *next)
{
    const uint32_t at = place_of(before, next);

    if (at == 0 || at == before->follower_count || begins_with(before->followers[at - 1], next))
        return;
    site *const other = before->followers[at - 1];
    before->followers[at - 1] = before->followers[at];
    before->followers[at] = other;
}

void sites_see(sites *t, site *before, text value, const site *next)
{
    const uint16_t number = (uint16_t)(before - t->items);
    site_watch *const w = &t->watch[number];

    if (!t->watched) // any more: the caller asks once a window
        return;
    w->total++;
    promote(before, next);
    if (number >= 2 && !is_hopeless(w) && is_constant(before, value))
        count_value(w, value, (uint16_t)(next - t->items));
    if (--t->watched == 0)
        join_all(t);
}

void sites_pass(sites *t, uint64_t offset)
{
    if (t->watched || t->rounds < ROUNDS_AT_ONCE || offset - t->rested < REST_BYTES)
        return;
    t->rested = offset;
    t->watched = t->round;
}
