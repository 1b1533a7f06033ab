// SPDX-License-Identifier: BSD-3-Clause
// Bump allocation, freed whole. Allocation never returns NULL: out of memory ends the program with
// one message, so callers have no failure branch and no free.
#ifndef BASE_ARENA_H
#define BASE_ARENA_H

#include <stddef.h>
#include <stdint.h>

// One owner, one thread at a time. Memory comes zeroed.
typedef struct arena arena;

arena *arena_create(void);
void arena_destroy(arena *a); // NULL is allowed

// `count` objects of `size` bytes, zeroed; the product is checked. A count of 0 gives a valid
// pointer.
void *arena_alloc_array(arena *a, size_t size, size_t count, size_t align);

#define arena_new(a, type, count)                                                                  \
    ((type *)arena_alloc_array((a), sizeof(type), (size_t)(count), _Alignof(type)))

// A copy of `length` bytes with a NUL behind them.
char *arena_copy(arena *a, const char *bytes, size_t length);

// printf into the arena.
char *arena_printf(arena *a, const char *format, ...) __attribute__((format(printf, 2, 3)));

// Grows `old`, an array of `old_count` objects of this arena (or NULL), to `new_count`; the new
// part is zeroed. Large arrays are mappings of their own and grow by remapping, not by copying.
void *arena_grow(arena *a, void *old, size_t size, size_t old_count, size_t new_count);

// Gives a large array back before the arena ends; a small one just stays. NULL is allowed.
void arena_release(arena *a, void *array);

// Moves `bytes` of `array`, which is of `a` and ends with that, to `to`, a place with room for them
// in an array of any arena. From a large array to where a page begins, pages are remapped, not
// copied.
void arena_move(arena *a, void *array, size_t bytes, void *to);

// Hands all memory of `from` over to `a`, and ends `from`: what was made there lives on.
void arena_join(arena *a, arena *from);

// Bytes now held from the system.
size_t arena_held(const arena *a);

// Appends room for one more to a growing array: doubles `items` (of `capacity`) when `count` has
// reached it.
#define arena_reserve_one(a, items, count, capacity)                                               \
    do {                                                                                           \
        if ((count) == (capacity)) {                                                               \
            const size_t wanted_ = (capacity) ? (size_t)(capacity)*2 : 16;                         \
            (items) = arena_grow((a), (items), sizeof(*(items)), (size_t)(capacity), wanted_);     \
            (capacity) = (__typeof__(capacity))wanted_;                                            \
        }                                                                                          \
    } while (0)

#endif
