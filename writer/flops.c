// SPDX-License-Identifier: BSD-3-Clause
// Pure: the floating-point operations of an operator, from its name and inputs.
#include "flops.h"

#include <stdlib.h>
#include <string.h>

#define ARRAY_LEN(array) (sizeof(array) / sizeof((array)[0]))

// The largest number, which nobody reaches, where the product is beyond it.
static uint64_t times(uint64_t x, uint64_t y)
{
    uint64_t product;
    return __builtin_mul_overflow(x, y, &product) ? UINT64_MAX : product;
}

static uint64_t elements(const tprof_input *input)
{
    uint64_t product = 1;
    for (int32_t i = 0; i < input->dimensions; i++)
        product = times(product, (uint64_t)input->sizes[i]);
    return product;
}

// Product of the matrices `left` and `right`, or of a batch of them.
static uint64_t product(const tprof_op *op, int32_t left, int32_t dimensions)
{
    if (op->input_count < left + 2)
        return 0;
    const tprof_input *a = &op->inputs[left], *b = &op->inputs[left + 1];
    if (a->dimensions != dimensions || b->dimensions != dimensions)
        return 0;
    return times(2, times(elements(a), (uint64_t)b->sizes[dimensions - 1]));
}

// The two numbers of a text such as "[1, 1]".
static bool pair(const tprof_op *op, int32_t index, int64_t numbers[2])
{
    const char *at = index < op->input_count ? op->inputs[index].value : NULL;
    char *end;

    if (!at || *at != '[')
        return false;
    numbers[0] = strtoll(at + 1, &end, 10);
    if (end == at + 1 || *end != ',')
        return false;
    at = end + 1;
    numbers[1] = strtoll(at, &end, 10);
    return end != at && *end == ']';
}

// Whether sums and products of two such numbers fit.
static bool is_extent(int64_t number)
{
    return number >= 0 && number <= INT32_MAX;
}

// Inputs: image, weight, bias, stride, padding, dilation, groups.
static uint64_t convolution(const tprof_op *op)
{
    int64_t stride[2], padding[2], dilation[2];

    if (op->input_count < 7 || op->inputs[0].dimensions != 4 || op->inputs[1].dimensions != 4 ||
        !pair(op, 3, stride) || !pair(op, 4, padding) || !pair(op, 5, dilation) ||
        !op->inputs[6].value)
        return 0;
    const int64_t groups = strtoll(op->inputs[6].value, NULL, 10);
    if (groups <= 0 || stride[0] <= 0 || stride[1] <= 0)
        return 0;

    const int64_t *image = op->inputs[0].sizes, *weight = op->inputs[1].sizes;
    uint64_t flops = times(2, (uint64_t)image[0]);
    for (int i = 0; i < 2; i++) {
        if (!is_extent(image[2 + i]) || !is_extent(weight[2 + i]) || !is_extent(padding[i]) ||
            !is_extent(dilation[i]))
            return 0;
        const int64_t reach = image[2 + i] + 2 * padding[i] - dilation[i] * (weight[2 + i] - 1) - 1;
        if (reach < 0)
            return 0;
        flops = times(flops, (uint64_t)(reach / stride[i] + 1));
        flops = times(flops, (uint64_t)weight[2 + i]);
    }
    flops = times(flops, times((uint64_t)image[1], (uint64_t)weight[0]));
    return flops == UINT64_MAX ? flops : flops / (uint64_t)groups;
}

static uint64_t matrices(const tprof_op *op)
{
    return product(op, 0, 2);
}

static uint64_t added_matrices(const tprof_op *op)
{
    return product(op, 1, 2);
}

static uint64_t batched_matrices(const tprof_op *op)
{
    return product(op, 0, 3);
}

static uint64_t added_batched_matrices(const tprof_op *op)
{
    return product(op, 1, 3);
}

static uint64_t elementwise(const tprof_op *op)
{
    return op->input_count > 0 && op->inputs[0].dimensions > 0 ? elements(&op->inputs[0]) : 0;
}

uint64_t tp_flops(const tprof_op *op)
{
    static const struct {
        const char *name;
        uint64_t (*count)(const tprof_op *op);
    } formulas[] = {
        {"aten::conv2d",  convolution           },
        {"aten::mm",      matrices              },
        {"aten::addmm",   added_matrices        },
        {"aten::bmm",     batched_matrices      },
        {"aten::baddbmm", added_batched_matrices},
        {"aten::mul",     elementwise           },
        {"aten::add",     elementwise           },
    };

    for (size_t i = 0; i < ARRAY_LEN(formulas); i++)
        if (strcmp(op->name, formulas[i].name) == 0) {
            const uint64_t flops = formulas[i].count(op);
            return flops == UINT64_MAX ? 0 : flops;
        }
    return 0;
}
