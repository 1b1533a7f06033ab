// SPDX-License-Identifier: BSD-3-Clause
// A folder for one test, and what tests ask of files in it.
#include "support/temp_dir.h"

#include <dirent.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char folder[256];

const char *temp_dir_make(void)
{
    const char *base = getenv("TMPDIR");
    snprintf(folder, sizeof(folder), "%s/tprof-test-XXXXXX", base && *base ? base : "/tmp");
    if (!mkdtemp(folder)) {
        perror(folder);
        exit(1);
    }
    return folder;
}

static int remove_entry(const char *path, const struct stat *info, int kind, struct FTW *where)
{
    (void)info;
    (void)kind;
    (void)where;
    return remove(path);
}

void temp_dir_remove(void)
{
    nftw(folder, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
}

int temp_dir_set_up(void **state)
{
    (void)state;
    temp_dir_make();
    return 0;
}

int temp_dir_tear_down(void **state)
{
    (void)state;
    temp_dir_remove();
    return 0;
}

const char *temp_path(const char *name)
{
    static char paths[8][1024];
    static unsigned next;
    char *path = paths[next++ % 8];
    snprintf(path, sizeof(paths[0]), "%s/%s", folder, name);
    return path;
}

char *read_whole_file(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    if (!file)
        return NULL;
    fseek(file, 0, SEEK_END);
    const long length = ftell(file);
    rewind(file);
    char *bytes = malloc((size_t)length + 1);
    if (bytes) {
        *size = fread(bytes, 1, (size_t)length, file);
        bytes[*size] = '\0';
    }
    fclose(file);
    return bytes;
}

void write_whole_file(const char *path, const void *bytes, size_t size)
{
    FILE *file = fopen(path, "wb");
    if (!file || (size && fwrite(bytes, size, 1, file) != 1) || fclose(file) != 0) {
        perror(path);
        exit(1);
    }
}

int count_files(const char *path, const char *suffix)
{
    DIR *dir = opendir(path);
    if (!dir)
        return -1;
    int count = 0;
    const size_t length = strlen(suffix);
    for (struct dirent *entry; (entry = readdir(dir)) != NULL;) {
        const size_t name = strlen(entry->d_name);
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
            continue;
        count += name >= length && strcmp(entry->d_name + name - length, suffix) == 0;
    }
    closedir(dir);
    return count;
}
