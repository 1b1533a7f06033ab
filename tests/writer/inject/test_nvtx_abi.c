// SPDX-License-Identifier: BSD-3-Clause
// Our declarations of NVTX's interface against NVTX's own headers.
#include "inject/nvtx_abi.h"

#include "support/cmocka_all.h"

#include <nvtx3/nvToolsExt.h>

#define SAME(ours, theirs)                                                                         \
    _Static_assert(offsetof(nvtx_attributes, ours) == offsetof(nvtxEventAttributes_t, theirs) &&   \
                       sizeof(((nvtx_attributes *)0)->ours) ==                                     \
                           sizeof(((nvtxEventAttributes_t *)0)->theirs),                           \
                   #ours)
SAME(version, version);
SAME(size, size);
SAME(category, category);
SAME(color_type, colorType);
SAME(color, color);
SAME(payload_type, payloadType);
SAME(payload.u64, payload.ullValue);
SAME(payload.i64, payload.llValue);
SAME(payload.d, payload.dValue);
SAME(payload.u32, payload.uiValue);
SAME(payload.i32, payload.iValue);
SAME(payload.f, payload.fValue);
SAME(message_type, messageType);
SAME(message.ascii, message.ascii);
SAME(message.wide, message.unicode);
SAME(message.registered, message.registered);
_Static_assert(sizeof(nvtx_attributes) == sizeof(nvtxEventAttributes_t), "attributes");
_Static_assert(sizeof(nvtx_range_id) == sizeof(nvtxRangeId_t), "range id");
_Static_assert(offsetof(nvtx_callbacks, get_table) ==
                   offsetof(NvtxExportTableCallbacks, GetModuleFunctionTable),
               "callbacks");

static void numbers_are_those_of_the_headers(void **state)
{
    static const struct {
        int ours, theirs;
    } cases[] = {
        {NVTX_TYPE_ASCII,       NVTX_MESSAGE_TYPE_ASCII              },
        {NVTX_TYPE_WIDE,        NVTX_MESSAGE_TYPE_UNICODE            },
        {NVTX_TYPE_REGISTERED,  NVTX_MESSAGE_TYPE_REGISTERED         },
        {NVTX_TYPE_UINT64,      NVTX_PAYLOAD_TYPE_UNSIGNED_INT64     },
        {NVTX_TYPE_INT64,       NVTX_PAYLOAD_TYPE_INT64              },
        {NVTX_TYPE_DOUBLE,      NVTX_PAYLOAD_TYPE_DOUBLE             },
        {NVTX_TYPE_UINT32,      NVTX_PAYLOAD_TYPE_UNSIGNED_INT32     },
        {NVTX_TYPE_INT32,       NVTX_PAYLOAD_TYPE_INT32              },
        {NVTX_TYPE_FLOAT,       NVTX_PAYLOAD_TYPE_FLOAT              },
        {NVTX_MODULE_CORE,      NVTX_CB_MODULE_CORE                  },
        {NVTX_MODULE_CORE2,     NVTX_CB_MODULE_CORE2                 },
        {NVTX_EXPORT_CALLBACKS, NVTX_ETID_CALLBACKS                  },
        {1,                     NVTX_CBID_CORE_MarkEx                },
        {4,                     NVTX_CBID_CORE_RangeStartEx          },
        {7,                     NVTX_CBID_CORE_RangeEnd              },
        {9,                     NVTX_CBID_CORE_RangePushA            },
        {11,                    NVTX_CBID_CORE_RangePop              },
        {12,                    NVTX_CBID_CORE_NameCategoryA         },
        {15,                    NVTX_CBID_CORE_NameOsThreadW         },
        {1,                     NVTX_CBID_CORE2_DomainMarkEx         },
        {5,                     NVTX_CBID_CORE2_DomainRangePop       },
        {8,                     NVTX_CBID_CORE2_DomainNameCategoryA  },
        {10,                    NVTX_CBID_CORE2_DomainRegisterStringA},
        {13,                    NVTX_CBID_CORE2_DomainCreateW        },
        {14,                    NVTX_CBID_CORE2_DomainDestroy        },
    };
    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
        assert_int_equal(cases[i].ours, cases[i].theirs);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_are_those_of_the_headers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
