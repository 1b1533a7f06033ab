// SPDX-License-Identifier: BSD-3-Clause
// Bytes as a file that has a path, for code that opens paths.
#ifndef FUZZ_MEMORY_FILE_H
#define FUZZ_MEMORY_FILE_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

typedef struct memory_file {
    int fd;
    char path[64];
} memory_file;

static inline memory_file memory_file_open(const uint8_t *data, size_t size)
{
    memory_file file = {.fd = memfd_create("fuzz", MFD_CLOEXEC)};

    if (file.fd < 0 || (size && write(file.fd, data, size) != (ssize_t)size)) {
        perror("memfd");
        abort();
    }
    snprintf(file.path, sizeof(file.path), "/proc/self/fd/%d", file.fd);
    return file;
}

#endif
