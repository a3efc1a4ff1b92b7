/* SPDX-License-Identifier: MIT
 *
 * Allocation and release of huge blocks, and their cache.
 *
 * A block leaves table and directory before its addresses go back to the
 * kernel, and enters them after they have come: another thread's new
 * mapping may lie at the same place in between.
 */
#include "mem/huge.h"

#include <string.h>

#include "base/bits.h"
#include "core/config.h"
#include "mem/directory.h"
#include "mem/granule_run.h"
#include "mem/huge_space.h"
#include "mem/large.h"
#include "os/page.h"
#include "os/process.h"

/* From here up huge pages are worth an alignment. */
#define CHUNK_ALIGN_MIN (2 * RFI_CHUNK_SIZE)

rfi_huge_space_t rfi_huge_space = {
    .lock = RFI_LOCK_INIT(RFI_RANK_HUGE),
};

static rfi_huge_space_t *const space = &rfi_huge_space;

size_t
rfi_huge_mapping_size(size_t bytes)
{
    return rfi_align_up(bytes, RFI_GRANULE_SIZE);
}

size_t
rfi_huge_mapping_align(size_t size)
{
    return size >= CHUNK_ALIGN_MIN ? RFI_CHUNK_SIZE : RFI_GRANULE_SIZE;
}

/* ---- Table, directory, cache ------------------------------------------ */

void
rfi_huge_publish(char *start, size_t size, size_t bytes)
{
    rfi_span_t *head = rfi_directory_mark_head(
        start, RFI_SPAN_HUGE, (uint32_t)(size >> RFI_GRANULE_SHIFT));

    head->mapping = start;
    head->mapping_size = size;
    atomic_store_explicit(&head->requested, bytes, memory_order_relaxed);
    rfi_huge_table_insert(&space->table, (uintptr_t)start, size);
    atomic_fetch_add_explicit(&space->blocks, 1, memory_order_relaxed);
    atomic_fetch_add_explicit(&space->mapped_bytes, size,
                              memory_order_relaxed);
}

void
rfi_huge_withdraw(rfi_span_t *head)
{
    rfi_huge_table_remove(&space->table, (uintptr_t)head->mapping);
    atomic_fetch_sub_explicit(&space->blocks, 1, memory_order_relaxed);
    atomic_fetch_sub_explicit(&space->mapped_bytes, head->mapping_size,
                              memory_order_relaxed);
    rfi_directory_clear_head(head);
}

static void
note_cache_size(void)
{
    atomic_store_explicit(&space->cached_bytes, space->cache.bytes,
                          memory_order_relaxed);
}

static bool
put_in_cache(const rfi_huge_mapping_t *mapping)
{
    rfi_lock_acquire(&space->lock);
    bool done = rfi_huge_cache_put(&space->cache, mapping);

    note_cache_size();
    rfi_lock_release(&space->lock);
    return done;
}

static bool
pop_from_cache(uint64_t now_ms, uint64_t keep_ms, rfi_huge_mapping_t *mapping)
{
    rfi_lock_acquire(&space->lock);
    bool found =
        rfi_huge_cache_pop(&space->cache, now_ms, keep_ms, mapping);

    note_cache_size();
    rfi_lock_release(&space->lock);
    return found;
}

bool
rfi_huge_release(const rfi_huge_mapping_t *mapping)
{
    if (rfi_page_unmap(mapping->start, mapping->size) == 0) {
        return true;
    }
    rfi_huge_mapping_t kept = *mapping;

    if (kept.content == RFI_HUGE_DIRTY
        && rfi_page_purge(kept.start, kept.size) == 0) {
        kept.content = RFI_HUGE_ZERO;
    }
    kept.freed_ms = rfi_process_clock_ms();
    (void)put_in_cache(&kept);
    return false;
}

static uint64_t
keep_time(void)
{
    int64_t delay = rfi_config_get(dirty_decay_ms);

    return delay < 0 ? UINT64_MAX : (uint64_t)delay;
}

size_t
rfi_huge_purge(uint64_t now_ms, bool everything)
{
    if (atomic_load_explicit(&space->cached_bytes, memory_order_relaxed)
        == 0) {
        return 0;
    }
    uint64_t keep_ms = everything ? 0 : keep_time();
    rfi_huge_mapping_t mapping;
    size_t released = 0;

    while (pop_from_cache(now_ms, keep_ms, &mapping)) {
        if (!rfi_huge_release(&mapping)) {
            break; /* it is in the cache again */
        }
        released += mapping.size;
    }
    return released;
}

/* ---- Allocation ------------------------------------------------------- */

static void
advise_huge(const rfi_huge_mapping_t *mapping)
{
    int64_t policy = rfi_config_get(thp);

    if (policy != RFI_THP_DEFAULT) {
        (void)rfi_page_advise_huge(mapping->start, mapping->size,
                                   policy == RFI_THP_ALWAYS);
    }
}

static bool
map_fresh(size_t size, size_t align, rfi_huge_mapping_t *mapping)
{
    void *start;

    if (rfi_page_map(&start, size, align, RFI_PAGE_READ_WRITE) != 0) {
        return false;
    }
    *mapping = (rfi_huge_mapping_t){.start = start, .size = size};
    advise_huge(mapping);
    return true;
}

/* A mapping comes to the cache without a leaf when that was what failed. */
static bool
cover(const rfi_huge_mapping_t *mapping)
{
    if (rfi_directory_cover(mapping->start, RFI_GRANULE_SIZE) == 0) {
        return true;
    }
    (void)rfi_huge_release(mapping);
    return false;
}

/* From the cache or the kernel, with room in the table reserved. */
static bool
get_mapping(size_t size, size_t align, rfi_huge_mapping_t *mapping)
{
    rfi_lock_acquire(&space->lock);
    bool reserved = rfi_huge_table_reserve(&space->table);
    bool cached = reserved
        && rfi_huge_cache_take(&space->cache, size, align, mapping);

    note_cache_size();
    rfi_lock_release(&space->lock);
    if (!reserved) {
        return false;
    }
    if ((cached || map_fresh(size, align, mapping)) && cover(mapping)) {
        return true;
    }
    rfi_lock_acquire(&space->lock);
    rfi_huge_table_cancel(&space->table);
    rfi_lock_release(&space->lock);
    return false;
}

void *
rfi_huge_alloc(size_t bytes, size_t align, bool zeroed)
{
    size_t size = rfi_huge_mapping_size(bytes);
    rfi_huge_mapping_t mapping;

    align = rfi_max(align, rfi_huge_mapping_align(size));
    if (!get_mapping(size, align, &mapping)) {
        rfi_granule_reclaim();
        if (!get_mapping(size, align, &mapping)) {
            return NULL;
        }
    }
    /* Dropping the pages is better than clearing them: the block may have
     * been touched, and may come to be used, in small part only. */
    if (zeroed && mapping.content == RFI_HUGE_DIRTY
        && rfi_page_purge(mapping.start, mapping.size) != 0) {
        memset(mapping.start, 0, bytes);
    }
    rfi_lock_acquire(&space->lock);
    rfi_huge_publish(mapping.start, mapping.size, bytes);
    rfi_lock_release(&space->lock);
    return mapping.start;
}

/* ---- Release ---------------------------------------------------------- */

void
rfi_huge_free(rfi_span_t *head)
{
    rfi_huge_mapping_t mapping = {
        .start = head->mapping,
        .size = head->mapping_size,
        .content = RFI_HUGE_DIRTY,
        .freed_ms = rfi_process_clock_ms(),
    };

    rfi_lock_acquire(&space->lock);
    rfi_huge_withdraw(head);
    bool cached = mapping.size <= RFI_HUGE_CACHE_BYTES && keep_time() != 0
        && rfi_huge_cache_put(&space->cache, &mapping);

    note_cache_size();
    rfi_lock_release(&space->lock);
    if (cached) {
        (void)rfi_huge_purge(mapping.freed_ms, false);
    } else {
        (void)rfi_huge_release(&mapping);
    }
}

rfi_span_t *
rfi_huge_find(const void *address)
{
    rfi_lock_acquire(&space->lock);
    rfi_huge_entry_t *entry =
        rfi_huge_table_find(&space->table, (uintptr_t)address);
    rfi_span_t *head =
        entry == NULL ? NULL : rfi_directory_find((void *)entry->start);

    rfi_lock_release(&space->lock);
    return head;
}

void
rfi_huge_stats(rfi_huge_stats_t *stats)
{
    *stats = (rfi_huge_stats_t){
        .blocks = atomic_load_explicit(&space->blocks, memory_order_relaxed),
        .mapped_bytes = atomic_load_explicit(&space->mapped_bytes,
                                             memory_order_relaxed),
        .cached_bytes = atomic_load_explicit(&space->cached_bytes,
                                             memory_order_relaxed),
    };
}

/* ---- Fork ------------------------------------------------------------- */

void
rfi_huge_fork_prepare(void)
{
    rfi_lock_acquire(&space->lock);
}

void
rfi_huge_fork_parent(void)
{
    rfi_lock_release(&space->lock);
}

void
rfi_huge_fork_child(void)
{
    space->table.reserved = 0; /* by threads that are not here */
    rfi_lock_reset(&space->lock);
}
