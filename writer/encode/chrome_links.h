// SPDX-License-Identifier: BSD-3-Clause
// Forward operators and the backward ones that belong to them.
#ifndef ENCODE_CHROME_LINKS_H
#define ENCODE_CHROME_LINKS_H

#include "capture.h"

// An end of an arrow: which event, counted in the order of the walk, and the number of the arrow,
// from 1.
typedef struct chrome_link {
    uint64_t event;
    uint64_t arrow;
    char phase; // 's' at the forward operator, 'f' at the backward one
} chrome_link;

// Finds all arrows: from the forward operator that began last of those with a sequence number on a
// thread to the first backward one with that number and thread. In order of event; to be freed;
// NULL with *count 0 where there are none, or no memory.
chrome_link *tp_chrome_links_find(const tp_capture *capture, size_t *count);

#endif
