// SPDX-License-Identifier: BSD-3-Clause
// What tests say of rows of the operator table. Times in us.
#ifndef SUPPORT_OPERATOR_ROWS_H
#define SUPPORT_OPERATOR_ROWS_H

#include "support/cmocka_all.h"

#include "analyze/operators.h"

static inline const operator_row *find(operator_table table, const char *name)
{
    for (uint32_t i = 0; i < table.count; i++)
        if (strcmp(table.at[i].name, name) == 0)
            return &table.at[i];
    fail_msg("no row %s", name);
    return NULL;
}

static inline void assert_host(operator_table table, const char *name, int calls, int self,
                               int total)
{
    const operator_row *const row = find(table, name);

    assert_int_equal(row->calls, calls);
    assert_int_equal(row->host_self_ns, self * 1000);
    assert_int_equal(row->host_total_ns, total * 1000);
}

static inline void assert_device(operator_table table, const char *name, int self, int total)
{
    const operator_row *const row = find(table, name);

    assert_int_equal(row->device_self_ns, self * 1000);
    assert_int_equal(row->device_total_ns, total * 1000);
}

#endif
