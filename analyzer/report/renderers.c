// SPDX-License-Identifier: BSD-3-Clause
// All formats.
#include "report/renderer.h"

const renderer *const RENDERERS[] = {&render_text, &render_json, NULL};
