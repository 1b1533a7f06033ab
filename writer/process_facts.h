// SPDX-License-Identifier: BSD-3-Clause
// What a trace says of its process: host, ranks, environment record.
#ifndef WRITER_PROCESS_FACTS_H
#define WRITER_PROCESS_FACTS_H

#include "capture.h"
#include "out/json_writer.h"

// Base name of the program, interned.
const char *tp_facts_process_name(void);

// The host's name, "localhost" if unknown. Valid until the next call.
const char *tp_facts_host_name(void);

// Rank and world size as launchers state them in environment variables; false without.
bool tp_facts_find_distributed(tprof_distributed *distributed);

// Each adds the key to the capture, or returns false for lack of memory.
bool tp_facts_add_distributed(tp_capture *to, const tprof_distributed *distributed);
bool tp_facts_add_environment(tp_capture *to, const tprof_environment *environment);

bool tp_facts_add_process(tp_capture *to); // host and recorder
bool tp_facts_add_trace_id(tp_capture *to);

// The environment record as one JSON value.
void tp_facts_environment_json(tp_json *json, const tprof_environment *environment);

#endif
