// SPDX-License-Identifier: BSD-3-Clause
// cmocka with what it needs to have been included before it, in that order.
#ifndef SUPPORT_CMOCKA_ALL_H
#define SUPPORT_CMOCKA_ALL_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#endif
