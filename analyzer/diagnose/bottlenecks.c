// SPDX-License-Identifier: BSD-3-Clause
// The bottlenecks that a verdict can name, and what each means in words.
#include "diagnose/bottlenecks.h"

// clang-format off
const bottleneck_text BOTTLENECK_TEXTS[BOTTLENECKS] = {
    [BOTTLENECK_INPUT] = {
        .word        = "input",
        .title       = "Input-bound",
        .does        = "idles while the data loader is waited for",
        .host_does   = "waits for the data loader",
        .advice      = "more loader workers (num_workers); then pinned memory, prefetching and "
                       "preloading (pin_memory, prefetch_factor, persistent_workers), or cheaper "
                       "decoding and transforms",
        .host_advice = "more loader workers (num_workers); then prefetching and preloading "
                       "(prefetch_factor, persistent_workers), or cheaper decoding and transforms",
    },
    [BOTTLENECK_SYNCHRONIZATION] = {
        .word        = "synchronization",
        .title       = "Synchronization-bound",
        .does        = "idles while the host waits in a synchronising call, or allocates or frees "
                       "device memory",
        .host_does   = "waits in a synchronising call",
        .advice      = "fewer .item(), .cpu(), printed tensors and explicit synchronisations inside "
                       "the step; asynchronous copies from pinned memory; memory that is kept "
                       "instead of freed",
        .host_advice = "fewer .item(), .cpu(), printed tensors and explicit synchronisations inside "
                       "the step",
    },
    [BOTTLENECK_COMMUNICATION] = {
        .word        = "communication",
        .title       = "Communication-bound",
        .does        = "communicates and computes nothing meanwhile",
        .host_does   = "communicates and runs no operator meanwhile",
        .advice      = "gradient buckets that overlap with the backward pass; then gradient "
                       "accumulation, compression, or a larger batch per device. A rank that waits "
                       "for a slower one shows here too",
        .host_advice = "gradient buckets that overlap with the backward pass; then gradient "
                       "accumulation or compression. A rank that waits for a slower one shows here "
                       "too",
    },
    [BOTTLENECK_COPY] = {
        .word        = "copy",
        .title       = "Copy-bound",
        .does        = "copies, or idles behind a blocking copy, and computes nothing meanwhile",
        .host_does   = "copies",
        .advice      = "pinned memory and asynchronous copies (pin_memory, non_blocking) that "
                       "overlap with compute; then fewer and larger copies, or data that stays on "
                       "the device",
        .host_advice = "fewer and larger copies",
    },
    [BOTTLENECK_LAUNCH] = {
        .word        = "launch",
        .title       = "Launch-bound",
        .does        = "idles because the host does not feed it",
        .host_does   = "runs Python or unmarked code, outside every operator",
        .advice      = "compilation (torch.compile), CUDA graphs or fused operators; then a larger "
                       "batch, and less Python between operators",
        .host_advice = "less Python between operators: larger batches, vectorised code, compilation "
                       "(torch.compile); mark the code in between to see what it is",
    },
    [BOTTLENECK_COMPUTE] = {
        .word        = "compute",
        .title       = "Compute-bound",
        .does        = "computes",
        .host_does   = "runs operators",
        .advice      = "lower precision (automatic mixed precision, TF32); then a larger batch, fused "
                       "kernels or another structure of the model. The kernel table shows where to "
                       "look first",
        .host_advice = "more threads or a faster library; then lower precision, fused operators or "
                       "another structure of the model. The operator table shows where to look "
                       "first",
    },
};
// clang-format on
