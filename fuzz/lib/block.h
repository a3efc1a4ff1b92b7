/* SPDX-License-Identifier: MIT
 *
 * What the model knows about one live block, and what it demands of it. A
 * block_t belongs to the thread that holds the block and goes with it when
 * the block is handed over.
 */
#ifndef RINGFENCE_FUZZ_LIB_BLOCK_H
#define RINGFENCE_FUZZ_LIB_BLOCK_H

#include <stddef.h>
#include <stdint.h>

typedef struct block {
    unsigned char *start; /* NULL: no block */
    size_t size;          /* bytes asked for */
    size_t usable;        /* what rf_usable_size() said */
    size_t filled;        /* bytes that carry the pattern: size, or usable */
    size_t align;         /* asked for; 0 when nothing was */
    uint64_t seed;        /* of the pattern */
} block_t;

/* A block that the allocator has just returned: checks its alignment and its
 * usable size, and fills it. Every other block is filled up to its usable
 * size, which belongs to the caller too. */
void block_begin(block_t *block, void *start, size_t size, size_t align);

/* The block as it must be at any time of its life: content and size. */
void block_check(const block_t *block);

/* The first bytes of `moved`, where realloc has put this block: must be what
 * the block held, as far as both reach. */
void block_check_moved(const block_t *block, const void *moved, size_t size);

#endif
