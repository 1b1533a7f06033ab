// SPDX-License-Identifier: BSD-3-Clause
// Call stacks: a tag and addresses, or a tag and text, interned as one name each.
#include "stack.h"

#include "capture.h"
#include "names.h"

#include <dlfcn.h>
#include <execinfo.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    FRAMES = 48,
    INNER_FRAMES = 8, // at most so many of libtprof's own
    TEXT_BYTES = 8192,
    CACHE_SLOTS = 1 << 12,
};

// What stands in front of the rest; neither is the beginning of a text that names.c hands out when
// it is full.
static const uint64_t ADDRESSES = 0x0173737365726461u;
static const char TEXT[] = "textext\1";

_Static_assert(sizeof(TEXT) == sizeof(ADDRESSES) + 1, "both tags are of one size");

typedef struct blob {
    uint64_t tag;
    void *frames[FRAMES + INNER_FRAMES + 1]; // NULL behind the last
} blob;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; // of what tp_stack_text() keeps

void tp_stack_init(void)
{
    void *frame;
    backtrace(&frame, 1);
}

const tp_stack *tp_stack_here(const void *caller)
{
    blob here = {.tag = ADDRESSES};
    const int count = backtrace(here.frames, FRAMES + INNER_FRAMES);
    int first = 0;

    while (first < count && first < INNER_FRAMES && here.frames[first] != caller)
        first++;
    if (first == count || first == INNER_FRAMES)
        first = 0;
    const size_t size = (size_t)(count - first + 1) * sizeof(void *); // the NULL too
    memmove(here.frames, here.frames + first, size);
    return (const tp_stack *)(const void *)tp_name_intern((const char *)&here,
                                                          sizeof(here.tag) + size);
}

const tp_stack *tp_stack_of_text(const char *text)
{
    return (const tp_stack *)(const void *)tp_name_join(TEXT, text, "");
}

// "program(0x1a2b): function;"; a return address is one behind the call.
static size_t frame_text(char *at, size_t room, const void *address)
{
    Dl_info info;
    int length;

    if (!dladdr((const char *)address - 1, &info) || !info.dli_fname)
        length = snprintf(at, room, "unknown(%p): unknown;", address);
    else {
        const char *slash = strrchr(info.dli_fname, '/');
        length = snprintf(at, room, "%s(0x%zx): %s;", slash ? slash + 1 : info.dli_fname,
                          (size_t)((const char *)address - (const char *)info.dli_fbase),
                          info.dli_sname ? info.dli_sname : "unknown");
    }
    return length < 0 || (size_t)length >= room ? 0 : (size_t)length;
}

static const char *resolve(const blob *stack)
{
    char text[TEXT_BYTES];
    size_t used = 0;

    for (const void *const *frame = (const void *const *)stack->frames; *frame; frame++) {
        const size_t length = frame_text(text + used, sizeof(text) - used, *frame);
        if (!length)
            break;
        used += length;
    }
    return tp_name_intern(text, used);
}

static const char *given_text(const char *text)
{
    const size_t length = strlen(text);
    if (length && text[length - 1] == ';')
        return text;
    return tp_name_join("", text, ";");
}

static const char *text_of(const tp_stack *stack)
{
    const char *bytes = (const void *)stack;
    const size_t tag = sizeof(ADDRESSES);

    if (memcmp(bytes, &ADDRESSES, tag) == 0)
        return resolve((const void *)stack);
    return given_text(memcmp(bytes, TEXT, tag) == 0 ? bytes + tag : bytes);
}

const char *tp_stack_text(const tp_stack *stack)
{
    static struct {
        const tp_stack *stack;
        const char *text;
    } cache[CACHE_SLOTS];

    if (!stack)
        return "";
    const size_t slot = tp_hash(&stack, sizeof(stack)) % CACHE_SLOTS;
    pthread_mutex_lock(&lock);
    if (cache[slot].stack != stack) {
        cache[slot].text = text_of(stack);
        cache[slot].stack = stack;
    }
    const char *text = cache[slot].text;
    pthread_mutex_unlock(&lock);
    return text;
}

void tp_stack_before_fork(void)
{
    pthread_mutex_lock(&lock);
}

void tp_stack_after_fork(void)
{
    pthread_mutex_unlock(&lock);
}
