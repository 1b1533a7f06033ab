// SPDX-License-Identifier: BSD-3-Clause
// Names in a row, for a message of one line.
#ifndef CLI_NAME_LIST_H
#define CLI_NAME_LIST_H

#include <stdbool.h>
#include <stdint.h>

// "a, b, c"; ", ..." stands for those that there is no room for. Begins as {.most = N}.
typedef struct name_list {
    char text[200];
    uint32_t most; // names that are told; 0: as many as fit
    uint32_t told;
    bool full;
} name_list;

void name_list_add(name_list *l, const char *name);

#endif
