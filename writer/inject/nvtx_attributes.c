// SPDX-License-Identifier: BSD-3-Clause
// What a program says of a range or a mark, as far as its NVTX knows it.
#include "inject/nvtx_attributes.h"

#include "inject/nvtx_text.h"

static bool has(const nvtx_attributes *attributes, size_t end)
{
    return attributes->size >= end;
}

#define FIELD_END(field) (offsetof(nvtx_attributes, field) + sizeof(((nvtx_attributes *)0)->field))

static void read_payload(const nvtx_attributes *attributes, tp_mark_detail *mark)
{
    mark->payload_kind = TP_PAYLOAD_NONE;
    if (!has(attributes, FIELD_END(payload)))
        return;
    switch (attributes->payload_type) {
    case NVTX_TYPE_UINT64:
    case NVTX_TYPE_UINT32:
        mark->payload_kind = TP_PAYLOAD_UINT;
        mark->payload.u = attributes->payload_type == NVTX_TYPE_UINT64 ? attributes->payload.u64
                                                                       : attributes->payload.u32;
        break;
    case NVTX_TYPE_INT64:
    case NVTX_TYPE_INT32:
        mark->payload_kind = TP_PAYLOAD_INT;
        mark->payload.i = attributes->payload_type == NVTX_TYPE_INT64 ? attributes->payload.i64
                                                                      : attributes->payload.i32;
        break;
    case NVTX_TYPE_DOUBLE:
    case NVTX_TYPE_FLOAT:
        mark->payload_kind = TP_PAYLOAD_DOUBLE;
        mark->payload.d = attributes->payload_type == NVTX_TYPE_DOUBLE
                              ? attributes->payload.d
                              : (double)attributes->payload.f;
        break;
    default:
        break;
    }
}

tp_nvtx_range tp_nvtx_describe(nvtx_domain domain, const nvtx_attributes *attributes)
{
    static const nvtx_attributes none;
    const nvtx_attributes *given = attributes ? attributes : &none;
    tp_nvtx_range range = {.domain = domain, .name = tp_nvtx_message(given)};

    range.mark.domain = tp_nvtx_domain_name(domain);
    range.mark.category =
        has(given, FIELD_END(category)) ? tp_nvtx_category(domain, given->category) : NULL;
    range.mark.color = has(given, FIELD_END(color)) && given->color_type ? given->color : 0;
    read_payload(given, &range.mark);
    range.has_mark = range.mark.domain || range.mark.category || range.mark.color ||
                     range.mark.payload_kind != TP_PAYLOAD_NONE;
    return range;
}
