// SPDX-License-Identifier: BSD-3-Clause
// The binary interface between NVTX, versions 2 and 3, and a library that takes its calls in. Every
// program with NVTX has its own copy of NVTX, which asks InitializeInjectionNvtx2() to fill in
// tables of function pointers. test_nvtx_abi compares it with NVTX's own headers where there are
// any.
#ifndef INJECT_NVTX_ABI_H
#define INJECT_NVTX_ABI_H

#include <stddef.h>
#include <stdint.h>
#include <wchar.h>

typedef uint64_t nvtx_range_id;
typedef void *nvtx_domain; // made by us; NULL is the default one
typedef void *nvtx_string; // made by us

typedef enum nvtx_message_type {
    NVTX_TYPE_ASCII = 1,
    NVTX_TYPE_WIDE = 2,
    NVTX_TYPE_REGISTERED = 3,
} nvtx_message_type;

typedef enum nvtx_payload_type {
    NVTX_TYPE_UINT64 = 1,
    NVTX_TYPE_INT64 = 2,
    NVTX_TYPE_DOUBLE = 3,
    NVTX_TYPE_UINT32 = 4,
    NVTX_TYPE_INT32 = 5,
    NVTX_TYPE_FLOAT = 6,
} nvtx_payload_type;

// What comes with a range or mark. `size` says how much of it the program's NVTX knows.
typedef struct nvtx_attributes {
    uint16_t version, size;
    uint32_t category; // 0: none
    int32_t color_type;
    uint32_t color; // ARGB
    int32_t payload_type;
    int32_t reserved;
    union {
        uint64_t u64;
        int64_t i64;
        double d;
        uint32_t u32;
        int32_t i32;
        float f;
    } payload;
    int32_t message_type;
    union {
        const char *ascii;
        const wchar_t *wide;
        nvtx_string registered;
    } message;
} nvtx_attributes;

// Tables and their entries: X(name of the entry, number, type of the function).
typedef enum nvtx_module {
    NVTX_MODULE_CORE = 1,
    NVTX_MODULE_CORE2 = 5, // domains
} nvtx_module;

#define NVTX_CORE_MAP(X)                                                                           \
    X(mark_ex, 1, void (*)(const nvtx_attributes *))                                               \
    X(mark_a, 2, void (*)(const char *))                                                           \
    X(mark_w, 3, void (*)(const wchar_t *))                                                        \
    X(range_start_ex, 4, nvtx_range_id (*)(const nvtx_attributes *))                               \
    X(range_start_a, 5, nvtx_range_id (*)(const char *))                                           \
    X(range_start_w, 6, nvtx_range_id (*)(const wchar_t *))                                        \
    X(range_end, 7, void (*)(nvtx_range_id))                                                       \
    X(range_push_ex, 8, int (*)(const nvtx_attributes *))                                          \
    X(range_push_a, 9, int (*)(const char *))                                                      \
    X(range_push_w, 10, int (*)(const wchar_t *))                                                  \
    X(range_pop, 11, int (*)(void))                                                                \
    X(name_category_a, 12, void (*)(uint32_t, const char *))                                       \
    X(name_category_w, 13, void (*)(uint32_t, const wchar_t *))                                    \
    X(name_thread_a, 14, void (*)(uint32_t, const char *))                                         \
    X(name_thread_w, 15, void (*)(uint32_t, const wchar_t *))

#define NVTX_CORE2_MAP(X)                                                                          \
    X(domain_mark_ex, 1, void (*)(nvtx_domain, const nvtx_attributes *))                           \
    X(domain_range_start_ex, 2, nvtx_range_id (*)(nvtx_domain, const nvtx_attributes *))           \
    X(domain_range_end, 3, void (*)(nvtx_domain, nvtx_range_id))                                   \
    X(domain_range_push_ex, 4, int (*)(nvtx_domain, const nvtx_attributes *))                      \
    X(domain_range_pop, 5, int (*)(nvtx_domain))                                                   \
    X(domain_name_category_a, 8, void (*)(nvtx_domain, uint32_t, const char *))                    \
    X(domain_name_category_w, 9, void (*)(nvtx_domain, uint32_t, const wchar_t *))                 \
    X(domain_register_string_a, 10, nvtx_string (*)(nvtx_domain, const char *))                    \
    X(domain_register_string_w, 11, nvtx_string (*)(nvtx_domain, const wchar_t *))                 \
    X(domain_create_a, 12, nvtx_domain (*)(const char *))                                          \
    X(domain_create_w, 13, nvtx_domain (*)(const wchar_t *))                                       \
    X(domain_destroy, 14, void (*)(nvtx_domain))

typedef void (*nvtx_function)(void);

// NVTX's side: entry n of a table points to the pointer to be set.
typedef struct nvtx_callbacks {
    size_t size;
    int (*get_table)(int module, nvtx_function ***table, unsigned *entries); // 1: success
} nvtx_callbacks;

enum { NVTX_EXPORT_CALLBACKS = 1 };

typedef const void *(*nvtx_get_export)(uint32_t which);

#endif
