// SPDX-License-Identifier: BSD-3-Clause
#include "support/cmocka_all.h"

#include "base/text.h"
#include "cli/run_names.h"
#include "support/temp_dir.h"

#include <sys/stat.h>
#include <unistd.h>

enum { MOST = 6 };

// Files below the folder for tests, paths given to the program, and the runs of all files in order.
typedef struct naming_case {
    const char *files[MOST], *paths[MOST], *runs[MOST];
} naming_case;

static const char *below(const char *root, const char *name, arena *a)
{
    return arena_printf(a, "%s/%s", root, name);
}

static void make_file(const char *root, const char *name, arena *a)
{
    char *path = arena_printf(a, "%s/%s", root, name);
    for (char *slash = path + strlen(root) + 1; (slash = strchr(slash, '/')); slash++) {
        *slash = '\0';
        mkdir(path, 0777);
        *slash = '/';
    }
    write_whole_file(path, "x", 1);
}

static void check_case(const naming_case *c)
{
    arena *a = arena_create();
    run_listing listing = {0};
    const char *root = temp_dir_make();
    error err;

    for (int i = 0; i < MOST && c->files[i]; i++)
        make_file(root, c->files[i], a);
    for (int i = 0; i < MOST && c->paths[i]; i++)
        assert_int_equal(run_listing_add(&listing, a, below(root, c->paths[i], a), &err), ERR_NONE);
    run_listing_sort(&listing);
    run_names_part(&listing, a);
    for (uint32_t i = 0; i < listing.file_count; i++) {
        assert_non_null(c->runs[i]);
        assert_string_equal(listing.files[i].run, c->runs[i]);
    }
    assert_true(listing.file_count == MOST || !c->runs[listing.file_count]);
    temp_dir_remove();
    arena_destroy(a);
}

#define W "w.pt.trace.json"
#define V "v.pt.trace.json"

static void folders_of_one_name_are_told_apart(void **state)
{
    static const naming_case cases[] = {
  // Nothing to tell apart: one folder, and names that differ.
        {{"a/" V, "a/" W},                     {"a"},                    {"a", "a"}                 },
        {{"a/" V, "a/" W},                     {"a/" V, "a/" W, "a"},    {"a", "a"}                 },
        {{"a/" W, "b/" W},                     {"a", "b"},               {"a", "b"}                 },
        {{"log/x/" W, "log/y/" W},             {"log"},                  {"x", "y"}                 },
 // Two logs.
        {{"a/log/" V, "a/log/" W, "b/log/" W}, {"a/log", "b/log"},       {"a/log", "a/log", "b/log"}},
        {{"a/log/" W, "b/log/" W},             {"a/log/" W, "b/log/" W}, {"a/log", "b/log"}         },
        {{"a/log/r/" W, "b/log/r/" W},         {"a/log", "b/log"},       {"a/log/r", "b/log/r"}     },
        {{"a/log/r/" W, "b/log/s/" W},         {"a/log", "b/log"},       {"r", "s"}                 },
 // A folder in a folder of the same name.
        {{"up/log/" W, "up/log/log/" W},       {"up/log"},               {"log/log", "up/log"}      },
    };
    (void)state;

    for (size_t i = 0; i < ARRAY_LEN(cases); i++)
        check_case(&cases[i]);
}

static void new_names_differ_from_those_of_other_runs_too(void **state)
{
    arena *a = arena_create();
    run_listing listing = {0};
    const char *root = temp_dir_make();
    static const char *const FILES[] = {"a/log/" W, "b/log/" W, "c/a/log/" W};
    static const char *const PATHS[] = {"a/log", "b/log", "c"};
    error err;
    (void)state;

    for (size_t i = 0; i < ARRAY_LEN(FILES); i++)
        make_file(root, FILES[i], a);
    for (size_t i = 0; i < ARRAY_LEN(PATHS); i++)
        assert_int_equal(run_listing_add(&listing, a, below(root, PATHS[i], a), &err), ERR_NONE);
    run_listing_sort(&listing);
    run_names_part(&listing, a);
    assert_int_equal(listing.file_count, 3);
    for (uint32_t i = 0; i < 3; i++)
        for (uint32_t k = 0; k < i; k++)
            assert_string_not_equal(listing.files[i].run, listing.files[k].run);
    temp_dir_remove();
    arena_destroy(a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(folders_of_one_name_are_told_apart),
        cmocka_unit_test(new_names_differ_from_those_of_other_runs_too),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
