/* SPDX-License-Identifier: MIT
 *
 * Size classes: which block size serves a request.
 *
 * Classes are spaced by 16 bytes up to 128, then four to a doubling up to
 * 64 KiB: a block wastes at most 15 bytes, or a fifth of its size, and about
 * a tenth on average. Every size is a multiple of 16, and the largest power
 * of two that divides it is the alignment that its blocks have, since spans
 * start at granule boundaries.
 *
 *   16 32 48 ... 128 | 160 192 224 256 | 320 384 448 512 | ... | 65536
 *
 * Spans of small classes are one granule; above 8 KiB they are eight, so
 * that at least eight blocks share a span.
 */
#ifndef RINGFENCE_HEAP_SIZE_CLASS_H
#define RINGFENCE_HEAP_SIZE_CLASS_H

#include <stddef.h>
#include <stdint.h>

#include "base/bits.h"
#include "base/compiler.h"
#include "mem/span.h"

#define RFI_BLOCK_QUANTUM 16u
#define RFI_LINEAR_CLASSES 8u /* 16 ... 128 */
#define RFI_LINEAR_MAX ((size_t)RFI_LINEAR_CLASSES * RFI_BLOCK_QUANTUM)
#define RFI_CLASS_COUNT 44u

/* Largest request that a size class serves. */
#define RFI_CLASS_SIZE_MAX ((size_t)65536)
/* Largest block whose span is a single granule. */
#define RFI_ONE_GRANULE_MAX ((size_t)8192)
#define RFI_WIDE_SPAN_GRANULES 8u
/* Every span lies in an aligned stretch of this many bytes (log 2). */
#define RFI_WIDE_SPAN_SHIFT (RFI_GRANULE_SHIFT + 3)

/* Largest request whose class the inline path finds by one table look-up. */
#define RFI_FAST_SIZE_MAX ((size_t)1024)

typedef struct rfi_size_class {
    uint32_t block_size;  /* bytes */
    uint16_t granules;    /* length of a span */
    uint16_t capacity;    /* blocks in a span */
    uint64_t start_magic; /* floor(2^64 / block_size), rounded up */
} rfi_size_class_t;

extern RFI_HIDDEN const rfi_size_class_t rfi_size_classes[RFI_CLASS_COUNT];

/* Class of each multiple of 16 up to RFI_FAST_SIZE_MAX; entry 0 serves
 * requests for zero bytes. */
extern RFI_HIDDEN const uint8_t
    rfi_size_class_table[RFI_FAST_SIZE_MAX / RFI_BLOCK_QUANTUM + 1];

/* Class of a request of RFI_LINEAR_MAX < size <= RFI_CLASS_SIZE_MAX bytes. */
static inline unsigned
rfi_size_class_of_medium(size_t size)
{
    size_t last = size - 1;
    unsigned log = rfi_log2_floor(last);

    /* Two bits below the leading one select the quarter of the doubling. */
    return RFI_LINEAR_CLASSES + (log - 7) * 4 +
           (unsigned)((last >> (log - 2)) & 3);
}

/* Class of any request up to RFI_CLASS_SIZE_MAX. */
static inline unsigned
rfi_size_class_of(size_t size)
{
    if (size <= RFI_FAST_SIZE_MAX) {
        return rfi_size_class_table[(size + 15) / RFI_BLOCK_QUANTUM];
    }
    return rfi_size_class_of_medium(size);
}

static inline size_t
rfi_size_class_bytes(unsigned size_class)
{
    return rfi_size_classes[size_class].block_size;
}

/* Smallest class that holds `size` bytes and whose blocks are aligned to
 * `align` (a power of two up to RFI_CLASS_SIZE_MAX), or RFI_CLASS_COUNT. */
unsigned rfi_size_class_of_aligned(size_t size, size_t align);

/* Is a byte offset within a span the start of a block? Exact for offsets
 * below 2^32: offset * ceil(2^64 / d) wraps to less than ceil(2^64 / d)
 * exactly for multiples of d. */
static RFI_ALWAYS_INLINE int
rfi_size_class_is_start(uint64_t start_magic, uint32_t offset)
{
    return offset * start_magic < start_magic;
}

#endif
