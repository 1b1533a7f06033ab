// SPDX-License-Identifier: BSD-3-Clause
// The bottlenecks that a verdict can name, and what each means in words.
#ifndef DIAGNOSE_BOTTLENECKS_H
#define DIAGNOSE_BOTTLENECKS_H

// In the order that breaks ties. All but compute are losses.
typedef enum bottleneck {
    BOTTLENECK_INPUT,
    BOTTLENECK_SYNCHRONIZATION,
    BOTTLENECK_COMMUNICATION,
    BOTTLENECK_COPY,
    BOTTLENECK_LAUNCH,
    BOTTLENECK_COMPUTE,
    BOTTLENECKS
} bottleneck;

typedef struct bottleneck_text {
    const char *word;        // "input"
    const char *title;       // "Input-bound"
    const char *does;        // what a device does in that time
    const char *host_does;   // what a process does, in a log without device work
    const char *advice;      // what to try, the first thing first
    const char *host_advice; // the same, in a log without device work
} bottleneck_text;

extern const bottleneck_text BOTTLENECK_TEXTS[BOTTLENECKS];

#endif
