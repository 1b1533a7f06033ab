// SPDX-License-Identifier: BSD-3-Clause
// Category words of all PyTorch versions and back ends -> roles.
#include "model/category.h"

#include <strings.h>

typedef struct category_word {
    const char *word; // lower case
    role role;
} category_word;

// Records of ccp events, profiler ranges and hardware samples are device-side views that no
// analysis counts as work; they stay ROLE_OTHER.
static const category_word CATEGORIES[] = {
    {"cpu_op",              ROLE_OPERATOR      },
    {"operator",            ROLE_OPERATOR      },
    {"cpu_instant_event",   ROLE_OPERATOR      }, // of duration; instants are memory or nothing
    {"user_annotation",     ROLE_ANNOTATION    },
    {"python_function",     ROLE_PYTHON        },
    {"python",              ROLE_PYTHON        },
    {"cuda_runtime",        ROLE_RUNTIME       },
    {"runtime",             ROLE_RUNTIME       },
    {"hip_runtime",         ROLE_RUNTIME       },
    {"xpu_runtime",         ROLE_RUNTIME       },
    {"mtia_runtime",        ROLE_RUNTIME       },
    {"glow_runtime",        ROLE_RUNTIME       },
    {"privateuse1_runtime", ROLE_RUNTIME       },
    {"cuda_driver",         ROLE_DRIVER        },
    {"driver",              ROLE_DRIVER        },
    {"hip_driver",          ROLE_DRIVER        },
    {"xpu_driver",          ROLE_DRIVER        },
    {"privateuse1_driver",  ROLE_DRIVER        },
    {"kernel",              ROLE_KERNEL        },
    {"hpu_op",              ROLE_KERNEL        },
    {"gpu_memcpy",          ROLE_MEMCPY        },
    {"memcpy",              ROLE_MEMCPY        },
    {"gpu_memset",          ROLE_MEMSET        },
    {"memset",              ROLE_MEMSET        },
    {"gpu_user_annotation", ROLE_GPU_ANNOTATION},
    {"user",                ROLE_GPU_ANNOTATION},
    {"cuda_sync",           ROLE_SYNC          },
    {"cuda_event",          ROLE_SYNC          },
    {"xpu_sync",            ROLE_SYNC          },
    {"overhead",            ROLE_OVERHEAD      },
    {"trace",               ROLE_SPAN          },
    {"memory",              ROLE_MEMORY        },
    {"ac2g",                ROLE_FLOW          },
    {"async",               ROLE_FLOW          },
    {"async_gpu",           ROLE_FLOW          },
    {"async_cpu_to_gpu",    ROLE_FLOW          },
    {"cpu_to_cuda",         ROLE_FLOW          },
    {"fwdbwd",              ROLE_FLOW          },
    {"fwd_bwd",             ROLE_FLOW          },
    {"forward_backward",    ROLE_FLOW          },
    {"hardware_counters",   ROLE_COUNTER       },
    {"mtia_counters",       ROLE_COUNTER       },
    {"xpu_scope_profiler",  ROLE_COUNTER       },
};

const char *role_word(role r)
{
    static const char *const words[] = {
#define X(name, word) word,
        ROLE_MAP(X)
#undef X
    };
    return r < ROLE_COUNT ? words[r] : "other";
}

static bool same_word(text t, const char *lower)
{
    return t.length == strlen(lower) && strncasecmp(t.at, lower, t.length) == 0;
}

role category_role(text category)
{
    for (size_t i = 0; i < ARRAY_LEN(CATEGORIES); i++)
        if (same_word(category, CATEGORIES[i].word))
            return CATEGORIES[i].role;
    return ROLE_OTHER;
}

bool category_is_forward_backward(text category)
{
    return same_word(category, "fwdbwd") || same_word(category, "fwd_bwd") ||
           same_word(category, "forward_backward");
}
