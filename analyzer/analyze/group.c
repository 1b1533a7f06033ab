// SPDX-License-Identifier: BSD-3-Clause
// Rows grouped by texts across the spans of a worker.
#include "analyze/group.h"

groups groups_create(arena *a, size_t row_size, uint32_t width)
{
    return (groups){.arena = a, .row_size = row_size, .width = width};
}

void groups_next_trace(groups *g)
{
    arena_release(g->arena, g->by_ids.keys);
    arena_release(g->arena, g->by_ids.ids);
    g->by_ids = (id_map){0};
}

void groups_close(groups *g)
{
    groups_next_trace(g);
    arena_release(g->arena, g->by_texts.keys);
    arena_release(g->arena, g->by_texts.ids);
    arena_release(g->arena, g->next);
    g->by_texts = (id_map){0};
    g->next = NULL;
}

void groups_release(groups *g)
{
    arena_release(g->arena, g->rows);
    arena_release(g->arena, g->keys);
    *g = (groups){0};
}

uint32_t groups_find(const groups *g, uint64_t ids)
{
    return id_map_get(&g->by_ids, ids);
}

static uint64_t hash_key(const text *key, uint32_t width)
{
    uint64_t hash = width;

    for (uint32_t i = 0; i < width; i++) {
        const uint64_t both[2] = {hash, key[i].at ? hash_bytes(key[i].at, key[i].length) : 0};
        hash = hash_bytes(both, sizeof(both));
    }
    return hash;
}

// A text with a NUL inside ends there for whoever reads the row, and so it does here.
static bool same_text(const char *known, text t)
{
    if (!known || !t.at)
        return !known && !t.at;
    return strlen(known) == t.length && memcmp(known, t.at, t.length) == 0;
}

static bool same_key(const groups *g, uint32_t row, const text *key)
{
    for (uint32_t i = 0; i < g->width; i++)
        if (!same_text(groups_key(g, row, i), key[i]))
            return false;
    return true;
}

static void reserve(groups *g)
{
    if (g->count < g->capacity)
        return;
    const uint32_t old = g->capacity, wanted = old ? old * 2 : 32;
    const size_t key_size = sizeof(*g->keys) * g->width;
    g->rows = arena_grow(g->arena, g->rows, g->row_size, old, wanted);
    g->keys = arena_grow(g->arena, g->keys, key_size, old, wanted);
    g->next = arena_grow(g->arena, g->next, sizeof(*g->next), old, wanted);
    g->capacity = wanted;
}

static uint32_t append(groups *g, const text *key, uint32_t next)
{
    reserve(g);
    for (uint32_t i = 0; i < g->width; i++)
        if (key[i].at)
            g->keys[(size_t)g->count * g->width + i] =
                g->lent >> i & 1 ? key[i].at : arena_copy(g->arena, key[i].at, key[i].length);
    g->next[g->count] = next;
    return g->count++;
}

uint32_t groups_add(groups *g, uint64_t ids, const text *key)
{
    text cut[GROUP_TEXTS];
    for (uint32_t i = 0; i < g->width; i++) {
        cut[i] = key[i];
        if (key[i].at)
            cut[i].length = strnlen(key[i].at, key[i].length);
    }

    const uint64_t hash = hash_key(cut, g->width);
    const uint32_t first = id_map_get(&g->by_texts, hash);
    uint32_t row = first;
    while (row != ID_NONE && !same_key(g, row, cut))
        row = g->next[row];
    if (row == ID_NONE) {
        row = append(g, cut, first);
        id_map_put(&g->by_texts, g->arena, hash, row);
    }
    id_map_put(&g->by_ids, g->arena, ids, row);
    return row;
}

int text_order(const char *x, const char *y)
{
    if (!x || !y)
        return (x != NULL) - (y != NULL);
    return strcmp(x, y);
}
