// SPDX-License-Identifier: BSD-3-Clause
// Names of kernels as people read them.
#ifndef GPU_DEMANGLE_H
#define GPU_DEMANGLE_H

// The C++ name behind a mangled one, to be released with free(). NULL where it is none, where it is
// longer than traces show, or where the process has no C++ library to ask.
char *tp_demangle(const char *mangled);

#endif
