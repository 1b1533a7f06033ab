// SPDX-License-Identifier: BSD-3-Clause
// A network of three layers, written by hand, that records its operators as PyTorch's would be.
#include "network.h"

#include "tprof/tprof.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const tprof_device CPU = {TPROF_DEVICE_CPU, 0};

// A number from 0 to 1; the same seeds give the same training.
static float uniform(unsigned *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return (float)(*seed >> 8) / (float)(1 << 24);
}

void batch_make(batch *into, unsigned seed)
{
    seed = seed * 2654435761u + 1;
    for (int i = 0; i < BATCH; i++) {
        const int spiral = i % 2;
        const float t = uniform(&seed);
        const float angle = 4.0f * t + 3.14159265f * (float)spiral;
        into->points[2 * i] = (0.1f + t) * cosf(angle);
        into->points[2 * i + 1] = (0.1f + t) * sinf(angle);
        into->labels[i] = (float)spiral;
    }
}

static tensor tensor_new(int64_t rows, int64_t columns)
{
    const size_t bytes = (size_t)(rows * columns) * sizeof(float);
    const tensor t = {rows, columns, calloc(1, bytes)};

    if (!t.values) {
        fputs("training_loop: out of memory\n", stderr);
        exit(1);
    }
    tprof_memory_allocate(CPU, t.values, bytes);
    return t;
}

static void tensor_free(tensor *t)
{
    if (t->values)
        tprof_memory_free(CPU, t->values, (size_t)(t->rows * t->columns) * sizeof(float));
    free(t->values);
    t->values = NULL;
}

// What the profiler is told of an operator: two tensors at most.
typedef struct call {
    tprof_op op;
    tprof_input inputs[3];
    int64_t sizes[3][2];
    tprof_scope scope;
} call;

static void call_input(call *c, const tensor *t)
{
    const int32_t i = c->op.input_count++;
    c->sizes[i][0] = t->rows;
    c->sizes[i][1] = t->columns;
    c->inputs[i] = (tprof_input){.type = "float", .sizes = c->sizes[i], .dimensions = 2};
}

static void call_begin(call *c, const char *name, const tensor *inputs[3], int64_t sequence)
{
    memset(c, 0, sizeof(*c));
    c->op.name = name;
    c->op.inputs = c->inputs;
    c->op.sequence = sequence;
    for (int i = 0; i < 3 && inputs[i]; i++)
        call_input(c, inputs[i]);
    c->scope = tprof_op_begin(&c->op);
}

// A backward operator: a range that links it to the forward one, and the operator inside.
static tprof_scope backward_begin(tprof_op *op, const char *name, int64_t sequence)
{
    *op = (tprof_op){.name = name, .sequence = sequence, .backward = true};
    return tprof_op_begin(op);
}

// out = in * weight^T + bias
static void linear(const tensor *in, const layer *l, tensor *out)
{
    call c;
    call_begin(&c, "aten::addmm", (const tensor *[3]){&l->bias, in, &l->weight}, l->sequence);
    *out = tensor_new(in->rows, l->weight.rows);
    for (int64_t i = 0; i < out->rows; i++)
        for (int64_t j = 0; j < out->columns; j++) {
            const float *x = in->values + i * in->columns;
            const float *w = l->weight.values + j * l->weight.columns;
            float sum = l->bias.values[j];
            for (int64_t k = 0; k < in->columns; k++)
                sum += x[k] * w[k];
            out->values[i * out->columns + j] = sum;
        }
    tprof_end(&c.scope);
}

static void relu(tensor *t, int64_t sequence)
{
    call c;
    call_begin(&c, "aten::relu", (const tensor *[3]){t}, sequence);
    for (int64_t i = 0; i < t->rows * t->columns; i++)
        t->values[i] = t->values[i] > 0 ? t->values[i] : 0;
    tprof_end(&c.scope);
}

// The mean of the cross entropy; `error` becomes its derivative.
static float loss_of(const tensor *out, const batch *data, tensor *error)
{
    float loss = 0;
    call c;

    call_begin(&c, "aten::binary_cross_entropy_with_logits", (const tensor *[3]){out}, 0);
    *error = tensor_new(out->rows, out->columns);
    for (int i = 0; i < BATCH; i++) {
        const float p = 1 / (1 + expf(-out->values[i]));
        const float right = data->labels[i] > 0 ? p : 1 - p;
        loss -= logf(right > 1e-7f ? right : 1e-7f) / BATCH;
        error->values[i] = (p - data->labels[i]) / BATCH;
    }
    tprof_end(&c.scope);
    return loss;
}

// Gradients of weight and bias from the error of the output, and the error of the input.
static void linear_backward(const tensor *error, const tensor *in, layer *l, tensor *in_error)
{
    call c;

    call_begin(&c, "aten::mm", (const tensor *[3]){error, in}, 0);
    *in_error = tensor_new(in->rows, in->columns);
    memset(l->weight_grad.values, 0,
           (size_t)(l->weight_grad.rows * l->weight_grad.columns) * sizeof(float));
    memset(l->bias_grad.values, 0, (size_t)l->bias_grad.columns * sizeof(float));
    for (int64_t i = 0; i < error->rows; i++)
        for (int64_t j = 0; j < error->columns; j++) {
            const float e = error->values[i * error->columns + j];
            const float *x = in->values + i * in->columns;
            const float *w = l->weight.values + j * in->columns;
            float *grad = l->weight_grad.values + j * in->columns;
            float *back = in_error->values + i * in->columns;
            l->bias_grad.values[j] += e;
            for (int64_t k = 0; k < in->columns; k++) {
                grad[k] += e * x[k];
                back[k] += e * w[k];
            }
        }
    tprof_end(&c.scope);
}

static void relu_backward(tensor *error, const tensor *out)
{
    call c;
    call_begin(&c, "aten::threshold_backward", (const tensor *[3]){error, out}, 0);
    for (int64_t i = 0; i < error->rows * error->columns; i++)
        error->values[i] = out->values[i] > 0 ? error->values[i] : 0;
    tprof_end(&c.scope);
}

void network_init(network *net)
{
    static const int64_t widths[LAYERS + 1] = {INPUTS, HIDDEN, HIDDEN, 1};
    unsigned seed = 7;

    for (int i = 0; i < LAYERS; i++) {
        layer *l = &net->layers[i];
        l->weight = tensor_new(widths[i + 1], widths[i]);
        l->bias = tensor_new(1, widths[i + 1]);
        l->weight_grad = tensor_new(widths[i + 1], widths[i]);
        l->bias_grad = tensor_new(1, widths[i + 1]);
        const float scale = 2.4f / sqrtf((float)widths[i]);
        for (int64_t k = 0; k < l->weight.rows * l->weight.columns; k++)
            l->weight.values[k] = scale * (uniform(&seed) - 0.5f);
    }
}

void network_free(network *net)
{
    for (int i = 0; i < LAYERS; i++) {
        layer *l = &net->layers[i];
        tensor_free(&l->weight);
        tensor_free(&l->bias);
        tensor_free(&l->weight_grad);
        tensor_free(&l->bias_grad);
    }
}

static void layer_forward(layer *l, const tensor *in, int index)
{
    char name[32];

    snprintf(name, sizeof(name), "Linear_%d", index);
    tprof_scope module = tprof_module_begin(name, index);
    l->sequence = tprof_sequence_next();
    linear(in, l, &l->output);
    tprof_end(&module);
    if (index == LAYERS - 1)
        return;
    snprintf(name, sizeof(name), "ReLU_%d", index);
    module = tprof_module_begin(name, LAYERS + index);
    l->relu_sequence = tprof_sequence_next();
    relu(&l->output, l->relu_sequence);
    tprof_end(&module);
}

float network_forward(network *net, const batch *data)
{
    tprof_scope module = tprof_module_begin("Spirals_0", 2 * LAYERS);

    net->input = tensor_new(BATCH, INPUTS);
    memcpy(net->input.values, data->points, sizeof(data->points));
    for (int i = 0; i < LAYERS; i++)
        layer_forward(&net->layers[i], i ? &net->layers[i - 1].output : &net->input, i);
    tprof_end(&module);
    return loss_of(&net->layers[LAYERS - 1].output, data, &net->error);
}

void network_backward(network *net, const batch *data)
{
    tensor error = net->error;
    tprof_op op;
    (void)data;

    for (int i = LAYERS - 1; i >= 0; i--) {
        layer *l = &net->layers[i];
        if (i < LAYERS - 1) {
            tprof_scope scope = backward_begin(
                &op, "autograd::engine::evaluate_function: ReluBackward0", l->relu_sequence);
            relu_backward(&error, &l->output);
            tprof_end(&scope);
        }
        tprof_scope scope =
            backward_begin(&op, "autograd::engine::evaluate_function: AddmmBackward0", l->sequence);
        tensor in_error;
        linear_backward(&error, i ? &net->layers[i - 1].output : &net->input, l, &in_error);
        tprof_end(&scope);
        tensor_free(&error);
        tensor_free(&l->output);
        error = in_error;
    }
    tensor_free(&error);
    tensor_free(&net->input);
}

static void step_tensor(tensor *t, const tensor *grad, float rate)
{
    call c;
    call_begin(&c, "aten::add_", (const tensor *[3]){t, grad}, 0);
    for (int64_t i = 0; i < t->rows * t->columns; i++)
        t->values[i] -= rate * grad->values[i];
    tprof_end(&c.scope);
}

void network_update(network *net, float rate)
{
    for (int i = 0; i < LAYERS; i++) {
        step_tensor(&net->layers[i].weight, &net->layers[i].weight_grad, rate);
        step_tensor(&net->layers[i].bias, &net->layers[i].bias_grad, rate);
    }
}
