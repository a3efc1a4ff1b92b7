/* SPDX-License-Identifier: MIT
 *
 * Mappings of freed huge blocks, kept for the next one. Mappings that the
 * kernel refused to take back wait here too, so that they are used or tried
 * again; room for those is larger than what the cache is limited to. The
 * caller holds the huge lock.
 */
#ifndef RINGFENCE_MEM_HUGE_CACHE_H
#define RINGFENCE_MEM_HUGE_CACHE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define RFI_HUGE_CACHE_BYTES ((size_t)64 << 20)
#define RFI_HUGE_CACHE_BLOCKS 16
#define RFI_HUGE_CACHE_SLOTS 64

typedef enum rfi_huge_content {
    RFI_HUGE_ZERO,
    RFI_HUGE_DIRTY,
    RFI_HUGE_NO_ACCESS, /* only to be unmapped */
} rfi_huge_content_t;

typedef struct rfi_huge_mapping {
    char *start;
    size_t size;
    rfi_huge_content_t content;
    uint64_t freed_ms;
} rfi_huge_mapping_t;

typedef struct rfi_huge_cache {
    rfi_huge_mapping_t mappings[RFI_HUGE_CACHE_SLOTS]; /* oldest first */
    size_t count;
    size_t bytes;
} rfi_huge_cache_t;

/* False when all slots are taken. */
bool rfi_huge_cache_put(rfi_huge_cache_t *cache,
                        const rfi_huge_mapping_t *mapping);

/* Takes the smallest mapping out that is usable and aligned, and not more
 * than a quarter larger than `size`. */
bool rfi_huge_cache_take(rfi_huge_cache_t *cache, size_t size, size_t align,
                         rfi_huge_mapping_t *mapping);

/* Takes the oldest mapping out when the cache is above its limits or that
 * mapping has been kept for `keep_ms`. */
bool rfi_huge_cache_pop(rfi_huge_cache_t *cache, uint64_t now_ms,
                        uint64_t keep_ms, rfi_huge_mapping_t *mapping);

#endif
