/* SPDX-License-Identifier: MIT
 *
 * Huge blocks: each is a mapping of its own, cut to granules. For large.c,
 * which decides what is huge; everybody else sees mem/large.h.
 */
#ifndef RINGFENCE_MEM_HUGE_H
#define RINGFENCE_MEM_HUGE_H

#include <stdbool.h>
#include <stddef.h>

#include "mem/span.h"

/* `bytes` is a multiple of the page size, `align` any power of two up to
 * 1 GiB. Returns the block, or NULL. */
void *rfi_huge_alloc(size_t bytes, size_t align, bool zeroed);

/* The caller alone has the right to free this block. */
void rfi_huge_free(rfi_span_t *head);

/* Returns the block's new start, or NULL with the block unchanged. */
void *rfi_huge_resize(rfi_span_t *head, size_t bytes);

typedef struct rfi_huge_stats {
    size_t blocks;
    size_t mapped_bytes;
    size_t cached_bytes;
} rfi_huge_stats_t;

void rfi_huge_stats(rfi_huge_stats_t *stats);

#endif
