// SPDX-License-Identifier: BSD-3-Clause
// The ranges and marks of a program with NVTX become events of the profiler that records.
#include "inject/nvtx_intake.h"

#include "annotate.h"
#include "clock.h"
#include "gpu/source.h"
#include "inject/nvtx_attributes.h"
#include "inject/nvtx_ranges.h"
#include "inject/nvtx_text.h"
#include "names.h"
#include "recorder.h"

#include <string.h>

static struct watch {
    const char *name, *domain; // interned; domain NULL: any
    tp_nvtx_watch calls;
} watched;

void tp_nvtx_set_watch(const tp_nvtx_watch *watch)
{
    watched = (struct watch){.calls = *watch};
    if (!watch->name)
        return;
    const char *colon = strchr(watch->name, ':');
    watched.name = tp_nvtx_text(watch->name);
    // A name may hold a colon itself: then the whole is tried first, by is_watched().
    if (colon && colon[1]) {
        watched.domain = tp_name_intern(watch->name, (size_t)(colon - watch->name));
        watched.calls.name = tp_nvtx_text(colon + 1);
    }
}

static bool is_watched(nvtx_domain domain, const char *name)
{
    if (!watched.name)
        return false;
    return name == watched.name || (watched.domain && name == watched.calls.name &&
                                    tp_nvtx_domain_name(domain) == watched.domain);
}

// ---- Ranges and marks -> events

static tp_nvtx_range describe_name(const char *name)
{
    return (tp_nvtx_range){.name = name};
}

// Takes the name that another thread may have given this one.
static void take_name(void)
{
    static _Thread_local uint32_t seen;
    const uint32_t changes = tp_nvtx_name_changes();
    if (__builtin_expect(changes == seen, 1))
        return;
    seen = changes;
    const char *name = tp_nvtx_name_of_thread((uint32_t)tprof_thread_id());
    if (name)
        tp_log_thread_name(name);
}

// The watch may begin a window, so it goes first; the clock is read last.
static void begin(tp_nvtx_range *range, bool links)
{
    take_name();
    range->watched = is_watched(range->domain, range->name);
    if (range->watched && watched.calls.begins)
        watched.calls.begins();
    if (!range->name[0])
        range->name = range->mark.domain ? range->mark.domain : "(range)";
    if (links && __atomic_load_n(&tprof_recording_, __ATOMIC_RELAXED) & TP_MODE_LINKS) {
        tp_log *log = tp_log_self ? tp_log_self : tp_log_attach();
        range->id = log ? tp_log_next_id(log) : 0;
    }
    if (range->id) {
        tp_gpu_push(TP_GPU_LINK_OP, range->id);
        tp_gpu_push(TP_GPU_LINK_ANNOTATION, range->id);
    }
    range->recorded = tprof_recording();
    if (range->recorded)
        tp_log_opens(tp_log_own(), 1);
    range->begin = tp_clock_ticks();
}

static void closes(const tp_nvtx_range *range)
{
    if (range->recorded)
        tp_log_opens(tp_log_self, -1);
}

static void unlink_launches(const tp_nvtx_range *range)
{
    if (!range->id)
        return;
    tp_gpu_pop(TP_GPU_LINK_ANNOTATION, range->id);
    tp_gpu_pop(TP_GPU_LINK_OP, range->id);
}

static void tell_end(const tp_nvtx_range *range)
{
    if (range->watched && watched.calls.ended)
        watched.calls.ended();
}

static void end(const tp_nvtx_range *range, int lane)
{
    const uint64_t times[2] = {range->begin, tp_clock_ticks()};

    unlink_launches(range);
    closes(range);
    tp_annotate_mark_in_lane(TP_ANNOTATION, range->name, times, range->id,
                             range->has_mark ? &range->mark : NULL, lane);
    tell_end(range);
}

// A range that there is no room for: its end will not be known for its own.
static void lose(const tp_nvtx_range *range)
{
    unlink_launches(range);
    closes(range);
    if (tprof_recording())
        tp_log_drop(tp_log_own());
    tell_end(range);
}

static int push(tp_nvtx_range range)
{
    int level;
    begin(&range, true);
    if (!tp_nvtx_push(&range, &level))
        lose(&range);
    return level;
}

static int pop(nvtx_domain domain)
{
    tp_nvtx_range range;
    const int level = tp_nvtx_pop(domain, &range);
    if (level >= 0)
        end(&range, 0);
    return level;
}

static nvtx_range_id start(tp_nvtx_range range)
{
    // What is launched until it ends may be anyone's, so nothing is linked.
    begin(&range, false);
    const nvtx_range_id id = tp_nvtx_start(&range);
    if (!id)
        lose(&range);
    return id;
}

static void finish(nvtx_range_id id)
{
    tp_nvtx_range range;
    int lane;
    if (tp_nvtx_finish(id, &range, &lane))
        end(&range, lane);
}

static void mark(tp_nvtx_range range)
{
    const uint64_t now = tp_clock_ticks();
    const uint64_t times[2] = {now, now};
    if (!range.name[0])
        range.name = range.mark.domain ? range.mark.domain : "(mark)";
    tp_annotate_mark(TP_INSTANT, range.name, times, 0, range.has_mark ? &range.mark : NULL);
}

// ---- NVTX's functions

static void mark_ex(const nvtx_attributes *attributes)
{
    mark(tp_nvtx_describe(NULL, attributes));
}

static void mark_a(const char *message)
{
    mark(describe_name(tp_nvtx_text(message)));
}

static void mark_w(const wchar_t *message)
{
    mark(describe_name(tp_nvtx_wide_text(message)));
}

static nvtx_range_id range_start_ex(const nvtx_attributes *attributes)
{
    return start(tp_nvtx_describe(NULL, attributes));
}

static nvtx_range_id range_start_a(const char *message)
{
    return start(describe_name(tp_nvtx_text(message)));
}

static nvtx_range_id range_start_w(const wchar_t *message)
{
    return start(describe_name(tp_nvtx_wide_text(message)));
}

static void range_end(nvtx_range_id id)
{
    finish(id);
}

static int range_push_ex(const nvtx_attributes *attributes)
{
    return push(tp_nvtx_describe(NULL, attributes));
}

static int range_push_a(const char *message)
{
    return push(describe_name(tp_nvtx_text(message)));
}

static int range_push_w(const wchar_t *message)
{
    return push(describe_name(tp_nvtx_wide_text(message)));
}

static int range_pop(void)
{
    return pop(NULL);
}

static void name_category_a(uint32_t category, const char *name)
{
    tp_nvtx_name_category(NULL, category, tp_nvtx_text(name));
}

static void name_category_w(uint32_t category, const wchar_t *name)
{
    tp_nvtx_name_category(NULL, category, tp_nvtx_wide_text(name));
}

static void name_thread(uint32_t thread, const char *name)
{
    if (thread == (uint32_t)tprof_thread_id())
        tp_log_thread_name(name);
    else
        tp_nvtx_name_other_thread(thread, name);
}

static void name_thread_a(uint32_t thread, const char *name)
{
    name_thread(thread, tp_nvtx_text(name));
}

static void name_thread_w(uint32_t thread, const wchar_t *name)
{
    name_thread(thread, tp_nvtx_wide_text(name));
}

static void domain_mark_ex(nvtx_domain domain, const nvtx_attributes *attributes)
{
    mark(tp_nvtx_describe(domain, attributes));
}

static nvtx_range_id domain_range_start_ex(nvtx_domain domain, const nvtx_attributes *attributes)
{
    return start(tp_nvtx_describe(domain, attributes));
}

static void domain_range_end(nvtx_domain domain, nvtx_range_id id)
{
    (void)domain;
    finish(id);
}

static int domain_range_push_ex(nvtx_domain domain, const nvtx_attributes *attributes)
{
    return push(tp_nvtx_describe(domain, attributes));
}

static int domain_range_pop(nvtx_domain domain)
{
    return pop(domain);
}

static void domain_name_category_a(nvtx_domain domain, uint32_t category, const char *name)
{
    tp_nvtx_name_category(domain, category, tp_nvtx_text(name));
}

static void domain_name_category_w(nvtx_domain domain, uint32_t category, const wchar_t *name)
{
    tp_nvtx_name_category(domain, category, tp_nvtx_wide_text(name));
}

// A handle is the interned text itself, so that nothing needs to be looked up or freed.
static void *handle_of(const char *text)
{
    return (void *)(uintptr_t)text;
}

static nvtx_string domain_register_string_a(nvtx_domain domain, const char *text)
{
    (void)domain;
    return handle_of(tp_nvtx_text(text));
}

static nvtx_string domain_register_string_w(nvtx_domain domain, const wchar_t *text)
{
    (void)domain;
    return handle_of(tp_nvtx_wide_text(text));
}

static nvtx_domain domain_create_a(const char *name)
{
    return handle_of(tp_nvtx_text(name));
}

static nvtx_domain domain_create_w(const wchar_t *name)
{
    return handle_of(tp_nvtx_wide_text(name));
}

static void domain_destroy(nvtx_domain domain)
{
    (void)domain;
}

// ---- Tables

typedef struct entry {
    unsigned number;
    nvtx_function function;
} entry;

#define ENTRY(name, number, type) {number, (nvtx_function)name},

// Each function has the type that its entry wants: checked where they are named.
#define CHECK_TYPE(name, number, type)                                                             \
    _Static_assert(_Generic(&name, type : 1, default : 0), "type of " #name);
NVTX_CORE_MAP(CHECK_TYPE)
NVTX_CORE2_MAP(CHECK_TYPE)

static bool fill(const nvtx_callbacks *callbacks, nvtx_module module, const entry *entries,
                 size_t count)
{
    nvtx_function **table = NULL;
    unsigned size = 0;

    if (!callbacks->get_table((int)module, &table, &size) || !table)
        return false;
    for (size_t i = 0; i < count; i++)
        if (entries[i].number < size && table[entries[i].number])
            *table[entries[i].number] = entries[i].function;
    return true;
}

int tp_nvtx_attach(nvtx_get_export get_export)
{
    static const entry core[] = {NVTX_CORE_MAP(ENTRY)};
    static const entry core2[] = {NVTX_CORE2_MAP(ENTRY)};
    const nvtx_callbacks *callbacks = get_export(NVTX_EXPORT_CALLBACKS);

    if (!callbacks || callbacks->size < sizeof(*callbacks))
        return 0;
    tp_clock_init();
    if (!fill(callbacks, NVTX_MODULE_CORE, core, sizeof(core) / sizeof(core[0])))
        return 0;
    // NVTX 2 without domains has only the first table.
    fill(callbacks, NVTX_MODULE_CORE2, core2, sizeof(core2) / sizeof(core2[0]));
    return 1;
}
