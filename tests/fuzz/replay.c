// SPDX-License-Identifier: BSD-3-Clause
// Runs a fuzz target over the files of folders, without an engine.
// Usage: replay_NAME FILE_OR_FOLDER...
#include "fuzz/fuzz_target.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>

static int runs;

static void run_file(const char *path)
{
    static uint8_t data[4 * 1024 * 1024];
    FILE *file = fopen(path, "rb");

    if (!file) {
        perror(path);
        exit(1);
    }
    const size_t size = fread(data, 1, sizeof(data), file);
    fclose(file);
    // Exactly as many bytes as there are, so that a sanitizer sees each read behind them.
    uint8_t *exact = malloc(size ? size : 1);
    for (size_t i = 0; i < size; i++)
        exact[i] = data[i];
    LLVMFuzzerTestOneInput(exact, size);
    free(exact);
    runs++;
}

int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        DIR *folder = opendir(argv[i]);
        if (!folder) {
            run_file(argv[i]);
            continue;
        }
        for (struct dirent *entry; (entry = readdir(folder));) {
            char path[4096];
            snprintf(path, sizeof(path), "%s/%s", argv[i], entry->d_name);
            if (entry->d_name[0] != '.')
                run_file(path);
        }
        closedir(folder);
    }
    printf("%d inputs\n", runs);
    return runs ? 0 : 1;
}
