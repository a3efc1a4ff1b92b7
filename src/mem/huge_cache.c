/* SPDX-License-Identifier: MIT
 *
 * The cache of huge mappings; see mem/huge_cache.h.
 */
#include "mem/huge_cache.h"

static void
remove_at(rfi_huge_cache_t *cache, size_t position,
          rfi_huge_mapping_t *mapping)
{
    *mapping = cache->mappings[position];
    cache->count--;
    cache->bytes -= mapping->size;
    for (size_t i = position; i < cache->count; i++) {
        cache->mappings[i] = cache->mappings[i + 1];
    }
}

bool
rfi_huge_cache_put(rfi_huge_cache_t *cache, const rfi_huge_mapping_t *mapping)
{
    if (cache->count == RFI_HUGE_CACHE_SLOTS) {
        return false;
    }
    cache->mappings[cache->count] = *mapping;
    cache->count++;
    cache->bytes += mapping->size;
    return true;
}

static bool
fits(const rfi_huge_mapping_t *mapping, size_t size, size_t align)
{
    return mapping->content != RFI_HUGE_NO_ACCESS && mapping->size >= size
        && mapping->size - size <= size / 4
        && ((uintptr_t)mapping->start & (align - 1)) == 0;
}

bool
rfi_huge_cache_take(rfi_huge_cache_t *cache, size_t size, size_t align,
                    rfi_huge_mapping_t *mapping)
{
    size_t best = cache->count;

    for (size_t i = 0; i < cache->count; i++) {
        if (fits(&cache->mappings[i], size, align)
            && (best == cache->count
                || cache->mappings[i].size < cache->mappings[best].size)) {
            best = i;
        }
    }
    if (best == cache->count) {
        return false;
    }
    remove_at(cache, best, mapping);
    return true;
}

bool
rfi_huge_cache_pop(rfi_huge_cache_t *cache, uint64_t now_ms, uint64_t keep_ms,
                   rfi_huge_mapping_t *mapping)
{
    if (cache->count == 0) {
        return false;
    }
    /* A thread that looked at the clock earlier may come later. */
    uint64_t freed_ms = cache->mappings[0].freed_ms;
    uint64_t age = now_ms > freed_ms ? now_ms - freed_ms : 0;

    if (age < keep_ms && cache->count <= RFI_HUGE_CACHE_BLOCKS
        && cache->bytes <= RFI_HUGE_CACHE_BYTES) {
        return false;
    }
    remove_at(cache, 0, mapping);
    return true;
}
