// SPDX-License-Identifier: BSD-3-Clause
// The tables of what can be found: losses by class, and rules on single facts.
#ifndef DIAGNOSE_RULES_H
#define DIAGNOSE_RULES_H

#include "diagnose/facts.h"

// A rule fires where its share is known and at least `limit`.
typedef struct rule {
    const char *name;
    bottleneck rule_class; // BOTTLENECKS: told by the facts, or none
    double limit;
    double (*share)(const facts *f);
    int64_t (*gain)(const facts *f); // NULL: unknown
    const char *(*evidence)(const facts *f, arena *a);
    const char *advice;
    bool share_is_shown;
    const char *(*subject)(const facts *f); // the name that the evidence holds; NULL: none
} rule;

extern const rule RULES[];
extern const uint32_t RULE_COUNT;

// Who does what, how much that is, and of what.
const char *rules_share_evidence(const facts *f, bottleneck b, arena *a);

// The same, and what is known of its parts and of what would cover it.
const char *rules_loss_evidence(const facts *f, bottleneck b, arena *a);

#endif
