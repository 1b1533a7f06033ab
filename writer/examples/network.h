// SPDX-License-Identifier: BSD-3-Clause
// A network of three layers, written by hand, that records its operators as PyTorch's would be.
#ifndef EXAMPLES_NETWORK_H
#define EXAMPLES_NETWORK_H

#include <stdbool.h>
#include <stdint.h>

enum { BATCH = 128, INPUTS = 2, HIDDEN = 64, LAYERS = 3 };

// Points in the plane, and which spiral each is on: 0 or 1.
typedef struct batch {
    float points[BATCH * INPUTS];
    float labels[BATCH];
} batch;

void batch_make(batch *into, unsigned seed);

// A matrix of rows x columns, row by row. Its memory is recorded as it comes and goes.
typedef struct tensor {
    int64_t rows, columns;
    float *values;
} tensor;

typedef struct layer {
    tensor weight, bias; // outputs x inputs, 1 x outputs
    tensor weight_grad, bias_grad;
    tensor output;                   // of the forward pass, kept for the backward pass
    int64_t sequence, relu_sequence; // what links a backward operator to its forward one
} layer;

typedef struct network {
    layer layers[LAYERS];
    tensor input;
    tensor error; // of the output: what the loss gives back
} network;

void network_init(network *net);
void network_free(network *net);

// Each works on one batch. Returns the mean loss.
float network_forward(network *net, const batch *data);
void network_backward(network *net, const batch *data);
void network_update(network *net, float rate);

#endif
