// SPDX-License-Identifier: BSD-3-Clause
// What became of the recordings of a program's processes, as their libtprof_inject.so wrote it.
#include "inject/record_report.h"

#include <dirent.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static void read_line(const char *line, record_report *report)
{
    unsigned long long number;
    if (sscanf(line, "files %llu", &number) == 1)
        report->files += number;
    else if (sscanf(line, "events %llu", &number) == 1)
        report->events += number;
    else if (sscanf(line, "gpu_events %llu", &number) == 1)
        report->gpu_events += number;
    else if (sscanf(line, "dropped %llu", &number) == 1)
        report->dropped += number;
    else if (sscanf(line, "dropped_gpu %llu", &number) == 1)
        report->dropped_gpu += number;
    else if (strncmp(line, "file ", 5) == 0 && line[5])
        snprintf(report->last_file, sizeof(report->last_file), "%s", line + 5);
    else if (strncmp(line, "trouble ", 8) == 0)
        snprintf(report->trouble, sizeof(report->trouble), "%s", line + 8);
}

static void read_report(const char *path, record_report *report)
{
    char line[PATH_MAX];
    FILE *file = fopen(path, "re");
    if (!file)
        return;
    report->processes++;
    while (fgets(line, sizeof(line), file)) {
        line[strcspn(line, "\n")] = '\0';
        read_line(line, report);
    }
    fclose(file);
    unlink(path);
}

record_report record_report_collect(const char *folder)
{
    record_report all = {0};
    DIR *dir = opendir(folder);
    const struct dirent *entry;
    char path[PATH_MAX + 256];

    while (dir && (entry = readdir(dir))) {
        if (entry->d_name[0] == '.')
            continue;
        snprintf(path, sizeof(path), "%s/%s", folder, entry->d_name);
        read_report(path, &all);
    }
    if (dir)
        closedir(dir);
    rmdir(folder);
    return all;
}

void record_report_tell(const record_report *report, const char *dir)
{
    if (report->processes == 0)
        fputs("tprof-record: no trace: the program ended abnormally, or used neither CUDA nor "
              "NVTX, so that nothing loaded libtprof_inject.so\n",
              stderr);
    else if (report->files == 0)
        fputs("tprof-record: no trace was written\n", stderr);
    else
        fprintf(stderr,
                "tprof-record: %llu trace%s, %llu events and %llu of the GPU in %s\n"
                "tprof-record: last: %s\n",
                report->files, report->files == 1 ? "" : "s", report->events, report->gpu_events,
                dir, report->last_file);
    if (report->dropped || report->dropped_gpu)
        fprintf(stderr, "tprof-record: lost: %llu events, %llu device records\n", report->dropped,
                report->dropped_gpu);
    if (report->trouble[0])
        fprintf(stderr, "tprof-record: %s\n", report->trouble);
}
