/* SPDX-License-Identifier: MIT
 *
 * See ops.h.
 */
#include "ops.h"

#include "base/checked.h"
#include "heap/size_class.h"
#include "mem/large.h"

#define RECORD_BYTES 8u
#define SIZE_FAMILIES 32u
#define OS_PAGE ((size_t)4096)

/* No mapping of this size exists on any machine we run on. */
#define ABSURD_BYTES ((size_t)1 << 48)

/* The upper bits of the byte say how far from a boundary: -4 ... 3. */
static size_t
around(size_t boundary, unsigned family_byte)
{
    size_t step = family_byte / SIZE_FAMILIES;

    return boundary + step < 4 ? 0 : boundary + step - 4;
}

static size_t
absurd_size(unsigned detail)
{
    switch (detail % 4) {
    case 0:
        return SIZE_MAX - detail / 4;
    case 1:
        return (size_t)PTRDIFF_MAX + 8 - detail / 4 % 16;
    case 2:
        return SIZE_MAX / 2 + detail;
    default:
        return ABSURD_BYTES + detail;
    }
}

/* What the numbers of a record are, and how often of 32 times. */
typedef enum size_family {
    SIZE_CLASS,        /* around the block size of a class */
    SIZE_LINEAR,       /* the same, of the smallest classes */
    SIZE_FAST,         /* any that the inline path serves */
    SIZE_MEDIUM,       /* any that a class serves */
    SIZE_PAGE,         /* around a multiple of the OS page */
    SIZE_GRANULE,      /* around a multiple of the granule */
    SIZE_PAST_CLASSES, /* around the largest class */
    SIZE_LARGE,        /* up to 4 MiB, rather less than more */
    SIZE_HUGE_MIN,     /* around the least huge block */
    SIZE_HUGE,         /* up to 8 MiB more than that */
    SIZE_ABSURD,       /* must fail */
} size_family_t;

static const uint8_t families[SIZE_FAMILIES] = {
    SIZE_CLASS,   SIZE_CLASS,        SIZE_CLASS,        SIZE_CLASS,
    SIZE_CLASS,   SIZE_CLASS,        SIZE_CLASS,        SIZE_CLASS,
    SIZE_LINEAR,  SIZE_LINEAR,       SIZE_LINEAR,       SIZE_LINEAR,
    SIZE_FAST,    SIZE_FAST,         SIZE_FAST,         SIZE_MEDIUM,
    SIZE_MEDIUM,  SIZE_MEDIUM,       SIZE_PAGE,         SIZE_PAGE,
    SIZE_GRANULE, SIZE_GRANULE,      SIZE_GRANULE,      SIZE_GRANULE,
    SIZE_GRANULE, SIZE_PAST_CLASSES, SIZE_PAST_CLASSES, SIZE_LARGE,
    SIZE_LARGE,   SIZE_HUGE_MIN,     SIZE_HUGE,         SIZE_ABSURD,
};

static size_t
decode_size(unsigned family_byte, unsigned detail)
{
    switch ((size_family_t)families[family_byte % SIZE_FAMILIES]) {
    case SIZE_CLASS:
        return around(rfi_size_class_bytes(detail % RFI_CLASS_COUNT),
                      family_byte);
    case SIZE_LINEAR:
        return around((detail % RFI_LINEAR_CLASSES) * RFI_BLOCK_QUANTUM,
                      family_byte);
    case SIZE_FAST:
        return detail % (RFI_FAST_SIZE_MAX + 1);
    case SIZE_MEDIUM:
        return detail;
    case SIZE_PAGE:
        return around((1 + detail % 64) * OS_PAGE, family_byte);
    case SIZE_GRANULE:
        return around((1 + detail % 40) * RFI_GRANULE_SIZE, family_byte);
    case SIZE_PAST_CLASSES:
        return around(RFI_CLASS_SIZE_MAX, family_byte) + detail % 64 * 16;
    case SIZE_LARGE:
        return ((size_t)detail * detail) >> 10;
    case SIZE_HUGE_MIN:
        return around(RFI_HUGE_MIN, family_byte) - detail % 32 * OS_PAGE;
    case SIZE_HUGE:
        return RFI_HUGE_MIN + (size_t)detail * 128;
    case SIZE_ABSURD:
        return absurd_size(detail);
    }
    return 0;
}

/* Mostly powers of two from 1 to 2 MiB; few larger or wrong ones. */
static size_t
decode_align(unsigned extra)
{
    if (extra < 240) {
        return (size_t)1 << extra % 22;
    }
    return extra < 250 ? (size_t)1 << (22 + extra % 42) : extra * 3 % 64;
}

static void
decode_count(op_t *op)
{
    switch (op->kind) {
    case OP_CALLOC:
    case OP_REALLOCARRAY:
        op->count = op->extra % 32;
        if (op->size < ABSURD_BYTES && op->count != 0) {
            op->size /= op->count;
        }
        break;
    case OP_BURST:
    case OP_FREE_MANY:
        op->count = (size_t)op->extra * 2 + 2;
        break;
    default:
        op->count = 1;
        break;
    }
}

bool
ops_next(input_t *input, const op_menu_t *menu, op_t *op)
{
    uint8_t record[RECORD_BYTES];

    if (!input_take(input, record, sizeof(record))) {
        return false;
    }
    op->kind = menu->kinds[record[0] % menu->count];
    op->worker = record[1];
    op->pick = (uint16_t)(record[2] | record[3] << 8);
    op->extra = record[7];
    op->size = decode_size(record[4], record[5] | (unsigned)record[6] << 8);
    op->align = decode_align(op->extra);
    decode_count(op);
    return true;
}

size_t
ops_bytes(const op_t *op)
{
    size_t bytes;

    return rfi_checked_multiply(op->count, op->size, &bytes) ? bytes : SIZE_MAX;
}
