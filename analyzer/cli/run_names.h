// SPDX-License-Identifier: BSD-3-Clause
// Runs of one name in different folders get names that tell them apart.
#ifndef CLI_RUN_NAMES_H
#define CLI_RUN_NAMES_H

#include "read/run_dir.h"

// A run is a folder. Where folders of several logs gave the same name, as of a/log and b/log, each
// takes as much of its path as makes it the only one. The listing is sorted before and after.
void run_names_part(run_listing *listing, arena *a);

#endif
