// SPDX-License-Identifier: BSD-3-Clause
// What sites.c needs of the joining of sites.
#ifndef READ_SITE_JOINS_H
#define READ_SITE_JOINS_H

#include "read/sites.h"

// Rows for SITES_MAX sites; watching begins.
void sites_watch_begin(sites *t, arena *a, uint32_t round);

#endif
