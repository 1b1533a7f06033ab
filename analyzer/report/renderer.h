// SPDX-License-Identifier: BSD-3-Clause
// A format: how a scope is written, and how the scopes become a report. A new one is a file and a
// line in renderers.c.
#ifndef REPORT_RENDERER_H
#define REPORT_RENDERER_H

#include "report/report.h"

#include "out/sink.h"

// Both calls are pure but for the sink, whose failure sticks; any thread.
typedef struct renderer {
    const char *name;      // word after --format
    const char *extension; // of files named after a base name
    const char *summary;
    bool all_scopes; // every log, and every worker of several spans; else what people look at:
                     // a worker, or the log where it is the only one
    void (*scope)(tp_sink *out, const report_scope *s, const report_style *style);
    void (*whole)(tp_sink *out, const report_frame *frame, const report_style *style);
} renderer;

extern const renderer render_text, render_json;

// All formats, the default first, and NULL behind the last.
extern const renderer *const RENDERERS[];

#endif
