// SPDX-License-Identifier: BSD-3-Clause
// Texts, domains, categories and registered strings of NVTX, as interned names.
#include "inject/nvtx_text.h"

#include "inject/nvtx_lock.h"
#include "names.h"

#include <stdio.h>
#include <string.h>

enum {
    TEXT_BYTES = 1024,      // of a wide text as UTF-8
    NAMED_CATEGORIES = 256, // with names; further ones go by their numbers
    NAMED_THREADS = 256,    // by others; the oldest are forgotten
};

typedef struct category {
    nvtx_domain domain;
    uint32_t number;
    const char *name;
} category;

static category categories[NAMED_CATEGORIES];
static uint32_t category_count;

typedef struct thread_name {
    uint32_t thread;
    const char *name;
} thread_name;

static thread_name thread_names[NAMED_THREADS];
static uint32_t name_changes;

const char *tp_nvtx_text(const char *text)
{
    return text ? tp_name_intern(text, strlen(text)) : "";
}

// Writes one character as UTF-8; returns its bytes.
static size_t encode(uint32_t c, char bytes[4])
{
    if (c < 0x80) {
        bytes[0] = (char)c;
        return 1;
    }
    const size_t more = c < 0x800 ? 1 : c < 0x10000 ? 2 : 3;
    static const unsigned char first[] = {0, 0xc0, 0xe0, 0xf0};
    for (size_t i = more; i > 0; i--, c >>= 6)
        bytes[i] = (char)(0x80 | (c & 0x3f));
    bytes[0] = (char)(first[more] | c);
    return more + 1;
}

const char *tp_nvtx_wide_text(const wchar_t *text)
{
    char bytes[TEXT_BYTES];
    size_t length = 0;

    if (!text)
        return "";
    for (; *text && length + 4 <= sizeof(bytes); text++) {
        const uint32_t c = (uint32_t)*text;
        const int valid = c < 0x110000 && (c < 0xd800 || c > 0xdfff);
        length += encode(valid ? c : 0xfffd, bytes + length);
    }
    return tp_name_intern(bytes, length);
}

const char *tp_nvtx_message(const nvtx_attributes *attributes)
{
    if (attributes->size < offsetof(nvtx_attributes, message) + sizeof(attributes->message))
        return "";
    switch (attributes->message_type) {
    case NVTX_TYPE_ASCII:
        return tp_nvtx_text(attributes->message.ascii);
    case NVTX_TYPE_WIDE:
        return tp_nvtx_wide_text(attributes->message.wide);
    case NVTX_TYPE_REGISTERED: // ours
        return attributes->message.registered ? attributes->message.registered : "";
    default:
        return "";
    }
}

const char *tp_nvtx_domain_name(nvtx_domain domain)
{
    return domain;
}

static category *find_category(nvtx_domain domain, uint32_t number)
{
    for (uint32_t i = 0; i < category_count; i++)
        if (categories[i].domain == domain && categories[i].number == number)
            return &categories[i];
    return NULL;
}

void tp_nvtx_name_category(nvtx_domain domain, uint32_t number, const char *name)
{
    tp_nvtx_lock();
    category *found = find_category(domain, number);
    if (found)
        found->name = name;
    else if (category_count < NAMED_CATEGORIES)
        categories[category_count++] = (category){domain, number, name};
    tp_nvtx_unlock();
}

const char *tp_nvtx_category(nvtx_domain domain, uint32_t number)
{
    char text[16];

    if (number == 0)
        return NULL;
    tp_nvtx_lock();
    const category *found = find_category(domain, number);
    const char *name = found ? found->name : NULL;
    tp_nvtx_unlock();
    if (name)
        return name;
    snprintf(text, sizeof(text), "%u", number);
    return tp_nvtx_text(text);
}

void tp_nvtx_name_other_thread(uint32_t thread, const char *name)
{
    tp_nvtx_lock();
    thread_names[name_changes % NAMED_THREADS] = (thread_name){thread, name};
    __atomic_store_n(&name_changes, name_changes + 1, __ATOMIC_RELEASE);
    tp_nvtx_unlock();
}

uint32_t tp_nvtx_name_changes(void)
{
    return __atomic_load_n(&name_changes, __ATOMIC_ACQUIRE);
}

const char *tp_nvtx_name_of_thread(uint32_t thread)
{
    const char *name = NULL;
    tp_nvtx_lock();
    for (uint32_t i = 0; i < NAMED_THREADS && i < name_changes; i++) {
        const thread_name *entry = &thread_names[(name_changes - 1 - i) % NAMED_THREADS];
        if (entry->thread == thread && !name)
            name = entry->name; // the latest
    }
    tp_nvtx_unlock();
    return name;
}
