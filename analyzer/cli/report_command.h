// SPDX-License-Identifier: BSD-3-Clause
// report and info: read everything, show the views, tell what could not be read.
#ifndef CLI_REPORT_COMMAND_H
#define CLI_REPORT_COMMAND_H

#include "cli/commands.h"

exit_status report_command(const options *o);

#endif
