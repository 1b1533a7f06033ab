// SPDX-License-Identifier: BSD-3-Clause
// Names in a row.
#include "cli/name_list.h"

#include <stdio.h>
#include <string.h>

void name_list_add(name_list *l, const char *name)
{
    const size_t used = strlen(l->text), left = sizeof(l->text) - used;

    if (l->full)
        return;
    l->full = (l->most && l->told == l->most) || strlen(name) + sizeof(", , ...") > left;
    snprintf(l->text + used, left, "%s%s", used ? ", " : "", l->full ? "..." : name);
    l->told += !l->full;
}
