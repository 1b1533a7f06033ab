// SPDX-License-Identifier: BSD-3-Clause
// Floating-point operations by torch's formulas.
#include "support/cmocka_all.h"

#include "flops.h"

#define ARRAY_LEN(array) (sizeof(array) / sizeof((array)[0]))
#define TENSOR(count, ...)                                                                         \
    {                                                                                              \
        .type = "float", .sizes = (const int64_t[]){__VA_ARGS__}, .dimensions = count              \
    }

static void operations_follow_the_formulas(void **state)
{
    const struct {
        const char *name;
        tprof_input inputs[7];
        int32_t count;
        uint64_t flops;
    } cases[] = {
        {"aten::mm",      {TENSOR(2, 4, 3), TENSOR(2, 3, 5)},                         2, 2 * 4 * 3 * 5                         },
        {"aten::mm",      {TENSOR(2, 4, 0), TENSOR(2, 0, 5)},                         2, 0                                     },
        {"aten::mm",      {TENSOR(3, 2, 4, 3), TENSOR(2, 3, 5)},                      2, 0                                     },
        {"aten::mm",      {TENSOR(2, 4, 3)},                                          1, 0                                     },
        {"aten::addmm",   {TENSOR(1, 5), TENSOR(2, 4, 3), TENSOR(2, 3, 5)},           3, 2 * 4 * 3 * 5                         },
        {"aten::bmm",     {TENSOR(3, 7, 4, 3), TENSOR(3, 7, 3, 5)},                   2, 2 * 7 * 4 * 3 * 5                     },
        {"aten::baddbmm",
         {TENSOR(3, 7, 4, 5), TENSOR(3, 7, 4, 3), TENSOR(3, 7, 3, 5)},
         3,                                                                              2 * 7 * 4 * 3 * 5                     },
        {"aten::mul",     {TENSOR(3, 2, 3, 4), TENSOR(1, 4)},                         2, 24                                    },
        {"aten::add",     {TENSOR(1, 9)},                                             1, 9                                     },
        {"aten::mm",      {TENSOR(2, 65536, 65536), TENSOR(2, 65536, 65536)},         2, 1ull << 49                            },
        {"aten::mm",      {TENSOR(2, 1 << 20, 1 << 14), TENSOR(2, 1 << 14, 1 << 17)}, 2, 1ull << 52                            },
        {"aten::mm",      {TENSOR(2, INT64_MAX, 9), TENSOR(2, 9, 9)},                 2, 0                                     },
        {"aten::conv2d",
         {TENSOR(4, INT64_MAX, 3, INT64_MAX, 224),
          TENSOR(4, 64, 3, 7, 7),
          {.value = NULL},
          {.value = "[2, 2]"},
          {.value = "[3, 3]"},
          {.value = "[9223372036854775807, 1]"},
          {.value = "1"}},
         7,                                                                              0                                     },
        {"aten::relu",    {TENSOR(1, 9)},                                             1, 0                                     },
 // 32 images of 3 x 224 x 224, 64 filters of 7 x 7, stride 2, padding 3.
        {"aten::conv2d",
         {TENSOR(4, 32, 3, 224, 224),
          TENSOR(4, 64, 3, 7, 7),
          {.value = NULL},
          {.value = "[2, 2]"},
          {.value = "[3, 3]"},
          {.value = "[1, 1]"},
          {.value = "1"}},
         7,                                                                              2ull * 32 * 112 * 112 * 7 * 7 * 3 * 64},
        {"aten::conv2d",
         {TENSOR(4, 1, 8, 9, 9),
          TENSOR(4, 8, 1, 3, 3),
          {.value = NULL},
          {.value = "[1, 1]"},
          {.value = "[0, 0]"},
          {.value = "[2, 2]"},
          {.value = "8"}},
         7,                                                                              2ull * 1 * 5 * 5 * 3 * 3 * 8 * 8 / 8  },
        {"aten::conv2d",
         {TENSOR(4, 1, 8, 9, 9),
          TENSOR(4, 8, 8, 3, 3),
          {.value = NULL},
          {.value = "[1]"},
          {.value = "[0, 0]"},
          {.value = "[1, 1]"},
          {.value = "1"}},
         7,                                                                              0                                     },
    };
    (void)state;

    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        const tprof_op op = {
            .name = cases[i].name, .inputs = cases[i].inputs, .input_count = cases[i].count};
        assert_int_equal(tp_flops(&op), cases[i].flops);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(operations_follow_the_formulas),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
