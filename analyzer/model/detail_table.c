// SPDX-License-Identifier: BSD-3-Clause
// Details of operators and device work, each distinct one stored once.
#include "model/detail_table.h"

#include "base/value.h"

enum {
    OPERATOR_FIELDS = FIELD_SHAPES | FIELD_TYPES | FIELD_STACK,
    DEVICE_FIELDS = FIELD_GRID | FIELD_BLOCK | FIELD_REGISTERS | FIELD_SHARED | FIELD_BYTES |
                    FIELD_BLOCKS_SM | FIELD_OCCUPANCY,
};

static uint32_t intern_if(detail_table *d, bool there, text t)
{
    return there ? strings_intern(&d->trace->strings, t) : STRING_NONE;
}

static uint32_t *recent_place(detail_table *d, const op_detail *wanted)
{
    const uint32_t mixed =
        (wanted->shapes * 0x9e3779b1u + wanted->types * 0x85ebca6bu + wanted->stack) * 0xc2b2ae35u;
    return &d->recent_operators[mixed >> (32 - RECENT_DETAIL_BITS)];
}

static bool same_detail(const op_detail *x, const op_detail *y)
{
    return x->shapes == y->shapes && x->types == y->types && x->stack == y->stack;
}

uint32_t details_add_operator(detail_table *d, const op_detail *wanted)
{
    trace *const t = d->trace;
    const uint64_t shapes_and_types = (uint64_t)wanted->shapes << 32 | wanted->types;
    const uint32_t pair =
        *id_map_entry(&d->shape_pairs, d->scratch, shapes_and_types, d->shape_pairs.count);
    const uint32_t known = *id_map_entry(&d->operators, d->scratch,
                                         (uint64_t)pair << 32 | wanted->stack, t->op_detail_count);
    if (known < t->op_detail_count)
        return known;

    arena_reserve_one(t->arena, t->op_details, t->op_detail_count, t->op_detail_capacity);
    t->op_details[t->op_detail_count] = *wanted;
    return t->op_detail_count++;
}

uint32_t details_operator(detail_table *d, const record *r)
{
    if (!(r->fields & OPERATOR_FIELDS))
        return DETAIL_NONE;

    const op_detail wanted = {
        .shapes = intern_if(d, r->fields & FIELD_SHAPES, r->shapes),
        .types = intern_if(d, r->fields & FIELD_TYPES, r->types),
        .stack = intern_if(d, r->fields & FIELD_STACK, r->stack),
    };
    uint32_t *const recent = recent_place(d, &wanted);
    if (!*recent || !same_detail(&d->trace->op_details[*recent - 1], &wanted))
        *recent = details_add_operator(d, &wanted) + 1;
    return *recent - 1;
}

// Zeroed first, so that equal details are equal bytes, and may be hashed and compared as such.
static void fill(device_detail *made, const record *r)
{
    memset(made, 0, sizeof(*made));
    made->has_shape = (r->fields & FIELD_GRID) && (r->fields & FIELD_BLOCK);
    if (made->has_shape) {
        memcpy(made->grid, r->grid, sizeof(made->grid));
        memcpy(made->block, r->block, sizeof(made->block));
    }
    made->registers = r->fields & FIELD_REGISTERS ? r->registers : -1;
    made->shared_bytes = r->fields & FIELD_SHARED ? r->shared_bytes : -1;
    made->bytes = r->fields & FIELD_BYTES ? r->bytes : -1;
    made->blocks_per_sm = r->fields & FIELD_BLOCKS_SM ? r->blocks_per_sm : -1;
    made->occupancy_percent = r->fields & FIELD_OCCUPANCY ? r->occupancy_percent : REAL_NONE;
}

uint32_t details_add_work(detail_table *d, const device_detail *wanted)
{
    trace *const t = d->trace;
    const uint32_t known = strings_intern(&d->works, (text){(const char *)wanted, sizeof(*wanted)});

    if (known < t->device_detail_count)
        return known;
    arena_reserve_one(t->arena, t->device_details, t->device_detail_count,
                      t->device_detail_capacity);
    memcpy(&t->device_details[t->device_detail_count], wanted, sizeof(*wanted));
    return t->device_detail_count++;
}

uint32_t details_device(detail_table *d, const record *r)
{
    device_detail made;
    if (!(r->fields & DEVICE_FIELDS))
        return DETAIL_NONE;

    fill(&made, r);
    return details_add_work(d, &made);
}
