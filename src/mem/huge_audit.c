/* SPDX-License-Identifier: MIT
 *
 * The invariants of the huge layer. They hold whenever the lock is free.
 *
 * I1  The table is sorted by start and its entries are disjoint; with the
 *     reservations it is within its capacity.
 * I2  The directory has a head of kind HUGE for each entry, which agrees
 *     about the mapping, and the block is not longer than that.
 * I3  The counters of live blocks are those of the table.
 * I4  The cache's bytes are the sum of its mappings, none of which has a
 *     descriptor or lies in the table.
 */
#include "mem/directory.h"
#include "mem/huge_space.h"
#include "mem/large.h"

static rfi_huge_space_t *const space = &rfi_huge_space;

static size_t
counter(const _Atomic(size_t) *value)
{
    return atomic_load_explicit(value, memory_order_relaxed);
}

static bool
is_sorted(const rfi_huge_table_t *table)
{
    uintptr_t end = 0;

    for (size_t i = 0; i < table->count; i++) {
        if (table->entries[i].start < end || table->entries[i].size == 0) {
            return false;
        }
        end = table->entries[i].start + table->entries[i].size;
    }
    return table->count + table->reserved <= table->capacity;
}

static bool
has_head(const rfi_huge_entry_t *entry)
{
    const rfi_span_t *head = rfi_directory_find((void *)entry->start);

    return head != NULL && head->kind == RFI_SPAN_HUGE
        && (uintptr_t)head->mapping == entry->start
        && rfi_directory_address(head) == (void *)entry->start
        && head->mapping_size == entry->size
        && head->granules == entry->size >> RFI_GRANULE_SHIFT
        && counter(&head->requested) <= entry->size;
}

static bool
is_unknown(const rfi_huge_mapping_t *mapping)
{
    const rfi_span_t *head = rfi_directory_find(mapping->start);

    return (head == NULL || head->kind == RFI_SPAN_NONE)
        && rfi_huge_table_find(&space->table, (uintptr_t)mapping->start)
        == NULL;
}

static bool
is_cache_right(const rfi_huge_cache_t *cache)
{
    size_t bytes = 0;

    for (size_t i = 0; i < cache->count; i++) {
        if (!is_unknown(&cache->mappings[i])) {
            return false;
        }
        bytes += cache->mappings[i].size;
    }
    return bytes == cache->bytes && bytes == counter(&space->cached_bytes);
}

static int
audit_locked(void)
{
    size_t bytes = 0;

    if (!is_sorted(&space->table)) {
        return 1;
    }
    for (size_t i = 0; i < space->table.count; i++) {
        if (!has_head(&space->table.entries[i])) {
            return 2;
        }
        bytes += space->table.entries[i].size;
    }
    if (space->table.count != counter(&space->blocks)
        || bytes != counter(&space->mapped_bytes)) {
        return 3;
    }
    return is_cache_right(&space->cache) ? 0 : 4;
}

int
rfi_huge_audit(void)
{
    rfi_lock_acquire(&space->lock);
    int broken = audit_locked();

    rfi_lock_release(&space->lock);
    return broken;
}
