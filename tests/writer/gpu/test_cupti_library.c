// SPDX-License-Identifier: BSD-3-Clause
// The real libcupti of this machine: its version, its functions, the sizes of its records, and what
// it says where there is no driver. TPROF_TEST_CUPTI names further ones, such as those of wheels,
// as a list with ':' between them. Skips visibly where there is none.
#include "gpu/cupti_library.h"
#include "gpu/source.h"

#include "support/cmocka_all.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { SKIPPED = 77 };

// Sizes that records of a kind ever had, CUDA 11 to 13.
static const struct {
    uint32_t kind;
    uint16_t sizes[10];
} KNOWN[] = {
    {TP_CUPTI_CONCURRENT_KERNEL,    {144, 160, 168, 176, 200, 208, 216, 224, 232, 248}},
    {TP_CUPTI_MEMCPY,               {64, 72, 80, 88, 96, 112}                         },
    {TP_CUPTI_MEMCPY2,              {72, 80, 88, 96}                                  },
    {TP_CUPTI_MEMSET,               {64, 72, 80, 88, 104}                             },
    {TP_CUPTI_RUNTIME,              {40}                                              },
    {TP_CUPTI_DRIVER,               {40}                                              },
    {TP_CUPTI_EXTERNAL_CORRELATION, {24}                                              },
    {TP_CUPTI_SYNCHRONIZATION,      {40, 56}                                          },
    {TP_CUPTI_CUDA_EVENT,           {24, 56, 80}                                      },
    {TP_CUPTI_OVERHEAD,             {40, 48, 56}                                      },
    {TP_CUPTI_CONTEXT,              {16, 24, 32, 40}                                  },
    {TP_CUPTI_MEMORY2,              {112, 120, 128}                                   },
    {TP_CUPTI_MEMORY_POOL,          {64, 72, 80}                                      },
    {TP_CUPTI_GRAPH_TRACE,          {48, 56}                                          },
    {TP_CUPTI_JIT,                  {64, 72}                                          },
};

static bool is_known_size(const uint16_t sizes[10], uint16_t size)
{
    for (int i = 0; i < 10 && sizes[i]; i++)
        if (sizes[i] == size)
            return true;
    return false;
}

static void check_sizes(const tp_cupti *cupti)
{
    for (size_t i = 0; i < sizeof(KNOWN) / sizeof(KNOWN[0]); i++)
        assert_true(is_known_size(KNOWN[i].sizes, cupti->sizes.bytes[KNOWN[i].kind]));
    assert_int_equal(cupti->sizes.bytes[0], 0);
    assert_int_equal(cupti->sizes.bytes[TP_CUPTI_KINDS - 1], 0);
}

// The library's own iterator and ours see the same records in a buffer.
static void count_record(void *arg, uint32_t kind, const void *record, size_t size)
{
    (void)kind;
    (void)record;
    (void)size;
    (*(unsigned *)arg)++;
}

static void check_walk(const tp_cupti *cupti)
{
    _Alignas(8) uint8_t buffer[8192] = {0};
    size_t used = 0;
    unsigned theirs = 0, ours = 0;
    CUpti_Activity *record = NULL;

    for (size_t i = 0; i < sizeof(KNOWN) / sizeof(KNOWN[0]); i++) {
        memcpy(buffer + used, &KNOWN[i].kind, sizeof(KNOWN[i].kind));
        used += cupti->sizes.bytes[KNOWN[i].kind];
    }
    while (cupti->cuptiActivityGetNextRecord(buffer, used, &record) == CUPTI_SUCCESS)
        theirs++;
    assert_int_equal(tp_cupti_walk(&cupti->sizes, buffer, used, count_record, &ours), 0);
    assert_int_equal(theirs, sizeof(KNOWN) / sizeof(KNOWN[0]));
    assert_int_equal(ours, theirs);
    assert_int_equal(tp_cupti_walk(&cupti->sizes, buffer, used - 8, count_record, &ours),
                     cupti->sizes.bytes[TP_CUPTI_JIT] - 8);
}

static bool has_driver(void)
{
    void *driver = dlopen("libcuda.so.1", RTLD_LAZY);
    if (driver)
        dlclose(driver);
    return driver != NULL;
}

static void check_names(const tp_cupti *cupti)
{
    const char *name = NULL;
    assert_int_equal(cupti->cuptiGetCallbackName(CUPTI_CB_DOMAIN_RUNTIME_API, 211, &name),
                     CUPTI_SUCCESS);
    assert_string_equal(name, "cudaLaunchKernel_v7000");
    assert_int_equal(cupti->cuptiGetCallbackName(CUPTI_CB_DOMAIN_DRIVER_API, 307, &name),
                     CUPTI_SUCCESS);
    assert_string_equal(name, "cuLaunchKernel");
    assert_string_equal(tp_cupti_result_text(cupti, CUPTI_ERROR_UNKNOWN), "CUPTI_ERROR_UNKNOWN");
}

static void the_library_has_what_is_used_of_it(void **state)
{
    tp_cupti cupti;
    char why[256] = "";
    (void)state;

    if (!tp_cupti_load(&cupti, why, sizeof(why))) {
        // The newest ones refuse even to say their version.
        assert_non_null(strstr(why, "cuptiGetVersion: CUPTI_ERROR_UNKNOWN (999)"));
        assert_false(has_driver());
        printf("refuses: %s\n", why);
        return;
    }
    printf("version %u\n", cupti.version);
    assert_true(cupti.version >= 12);
    check_sizes(&cupti);
    check_walk(&cupti);
    check_names(&cupti);
}

static void its_refusal_without_a_driver_is_told_and_nothing_else_happens(void **state)
{
    (void)state;
    if (has_driver())
        skip();
    for (int i = 0; i < 2; i++) { // as often as anyone tries
        assert_int_equal(tp_gpu_open(), TPROF_ERR_GPU);
        const char *error = tp_gpu_error();
        printf("%s\n", error);
        assert_true(strstr(error, "cuptiActivityEnable(CONCURRENT_KERNEL): CUPTI_ERROR_") ||
                    strncmp(error, "cuptiGetVersion: CUPTI_ERROR_", 29) == 0);
        assert_int_equal(tp_gpu_prepare(), TPROF_ERR_GPU);
        assert_int_equal(tp_gpu_start(), TPROF_ERR_GPU);
        tp_gpu_push(TP_GPU_LINK_OP, 1);
        tp_gpu_pop(TP_GPU_LINK_OP, 1);
        tp_gpu_flush();
        tp_gpu_stop();
        tp_gpu_close();
    }
}

static int run_both(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_library_has_what_is_used_of_it),
        cmocka_unit_test(its_refusal_without_a_driver_is_told_and_nothing_else_happens),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

// A process can hold one library of that soname, so each has one of its own.
static int run_with(const char *library)
{
    int status = 0;
    fflush(stdout);
    const pid_t child = fork();
    if (child == 0) {
        if (library)
            setenv(TP_CUPTI_PATH_VARIABLE, library, 1);
        printf("libcupti: %s\n", library ? library : "as found");
        exit(run_both());
    }
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

static bool is_there(void)
{
    tp_cupti cupti;
    char why[256] = "";
    const bool loaded = tp_cupti_load(&cupti, why, sizeof(why));
    if (!loaded)
        printf("%s\n", why);
    return loaded || !strstr(why, "no libcupti.so");
}

int main(void)
{
    char *list = getenv("TPROF_TEST_CUPTI") ? strdup(getenv("TPROF_TEST_CUPTI")) : NULL;
    int failed = 0;

    const pid_t child = fork();
    if (child == 0)
        _exit(is_there() ? 0 : SKIPPED);
    int status = 0;
    waitpid(child, &status, 0);
    const bool found = WIFEXITED(status) && WEXITSTATUS(status) == 0;
    if (!found && !list) {
        printf("skipped: no libcupti on this machine\n");
        return SKIPPED;
    }
    if (found)
        failed += run_with(NULL) != 0;
    char *rest = NULL;
    for (char *one = list ? strtok_r(list, ":", &rest) : NULL; one;
         one = strtok_r(NULL, ":", &rest))
        failed += run_with(one) != 0;
    free(list);
    return failed;
}
