// SPDX-License-Identifier: BSD-3-Clause
// Verdicts and findings of real logs whose truth is known, and of the reference cases. Skips where
// they are not at hand.
#include "support/cmocka_all.h"

#include "diagnose/diagnose.h"
#include "support/log_lines.h"

#include <glob.h>
#include <stdio.h>
#include <unistd.h>

static const char *shared_folder;

// Loads all traces of a worker below the shared folder, in the order of their stamps.
static void load(log_lines *log, const char *pattern)
{
    char full[1024];
    glob_t found;

    snprintf(full, sizeof(full), "%s/%s", shared_folder, pattern);
    if (glob(full, 0, NULL, &found))
        fail_msg("nothing matches %s", full);
    for (size_t i = 0; i < found.gl_pathc; i++)
        log_add_file(log, found.gl_pathv[i]);
    globfree(&found);
}

static const finding_row *finding_of(const diagnosis *d, const char *rule)
{
    for (uint32_t i = 0; i < d->finding_count; i++)
        if (!strcmp(d->findings[i].rule, rule))
            return &d->findings[i];
    return NULL;
}

static void logs_get_the_verdict_of_their_truth(void **state)
{
    static const struct {
        const char *files, *verdict;
    } cases[] = {
        {"traces/own/resnet_like_starved/*.trace.json",    "input"        },
        {"traces/own/torch2.0_starved_tiny/*.trace.json",  "input"        },
        {"traces/own/torch2.3_starved_tiny/*.trace.json",  "input"        },
        {"traces/own/torch2.4_starved_tiny/*.trace.json",  "input"        },
        {"traces/own/torch2.15_starved_tiny/*.trace.json", "input"        },
        {"traces/own/per_step/worker0.*.json.gz",          "input"        },
        {"traces/own/ddp_gloo/rank1.*.trace.json.gz",      "input"        },
        {"traces/own/ddp_gloo/rank0.*.trace.json.gz",      "communication"},
        {"traces/own/resnet_like_workers2/*.trace.json",   "compute"      },
        {"traces/own/user_ranges/*.trace.json",            "launch"       },
        {"traces/kineto/resnet50_num_workers_0/*.gz",      "input"        },
        {"traces/kineto/resnet50_num_workers_4/*.gz",      "launch"       },
    };
    (void)state;

    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        log_lines log = {0};
        load(&log, cases[i].files);
        const analysis all = analysis_run(&log.worker, false, log.arena);
        const diagnosis got = diagnose(&all, log.arena);
        if (strcmp(got.verdict.verdict_class, cases[i].verdict))
            fail_msg("%s: %s", cases[i].files, got.verdict.text);
        log_close(&log);
    }
}

static void findings_name_what_was_put_in(void **state)
{
    static const struct {
        const char *files, *rule, *words; // words NULL: no such finding
    } cases[] = {
        {"traces/own/user_ranges/*.trace.json",          "outlier-steps",       "step 4: "                },
        {"traces/own/resnet_like_starved/*.trace.json",  "input-bound",         "1 worker would cover it" },
        {"cases/05-truncated-json/cutstr_1.*",           "data-truncated",      "first at byte "          },
        {"cases/05-truncated-json/whole_4.*",            "data-truncated",      NULL                      },
        {"cases/35-cpu-only-gpu-missing/launches_2.*",   "gpu-records-missing",
         "3 launches, 0 kernels"                                                                          },
        {"cases/35-cpu-only-gpu-missing/nocuda_1.*",     "no-gpu-activity",     "no GPU activity recorded"},
        {"cases/35-cpu-only-gpu-missing/cpumachine_3.*", "no-gpu-activity",     NULL                      },
        {"cases/35-cpu-only-gpu-missing/cpumachine_3.*", "gpu-records-missing", NULL                      },
        {"cases/31-dataloader-and-device-tail/*.json",   "input-bound",         "data loader"             },
        {"cases/34-gpu-only/*.json",                     "idle-cause-unknown",  "55.6 %"                  },
        {"traces/kineto/resnet50_num_workers_0/*.gz",    "tensor-cores-unused",
         "% of all kernel time"                                                                           },
    };
    (void)state;

    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        log_lines log = {0};
        load(&log, cases[i].files);
        const analysis all = analysis_run(&log.worker, false, log.arena);
        const diagnosis got = diagnose(&all, log.arena);
        const finding_row *f = finding_of(&got, cases[i].rule);
        if (!f != !cases[i].words)
            fail_msg("%s: %s %s", cases[i].files, cases[i].rule, f ? f->evidence : "is missing");
        if (f && !strstr(f->evidence, cases[i].words))
            fail_msg("%s: '%s' lacks '%s'", cases[i].files, f->evidence, cases[i].words);
        log_close(&log);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(logs_get_the_verdict_of_their_truth),
        cmocka_unit_test(findings_name_what_was_put_in),
    };

    shared_folder = TPROF_SHARED;
    if (access(TPROF_SHARED "/traces/own", R_OK)) {
        puts("skipped: no reference logs at " TPROF_SHARED "/traces/own");
        return 77;
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
