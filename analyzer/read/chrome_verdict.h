// SPDX-License-Identifier: BSD-3-Clause
// Why a file gave no events, said so that its owner knows what it is.
#ifndef READ_CHROME_VERDICT_H
#define READ_CHROME_VERDICT_H

#include "read/chrome.h"

// The first document does not begin with '{' or '[': says what it looks like instead.
err_code chrome_verdict_beginning(const chrome *c, error *err);

// All was read. ERR_NONE where there were events.
err_code chrome_verdict(const chrome *c, error *err);

#endif
