/* SPDX-License-Identifier: MIT
 *
 * Resizing of huge blocks by the kernel, without copying. The head belongs
 * to the caller; only table and directory are shared with other threads.
 */
#include <string.h>

#include "base/bits.h"
#include "mem/directory.h"
#include "mem/huge.h"
#include "mem/huge_space.h"
#include "os/page.h"

static rfi_huge_space_t *const space = &rfi_huge_space;

/* Table, head and counters get to know a new length at the same place. */
static void
set_mapping_size(rfi_span_t *head, size_t size)
{
    rfi_lock_acquire(&space->lock);
    rfi_huge_table_find(&space->table, (uintptr_t)head->mapping)->size = size;
    atomic_fetch_add_explicit(&space->mapped_bytes,
                              size - head->mapping_size,
                              memory_order_relaxed);
    head->mapping_size = size;
    head->granules = (uint32_t)(size >> RFI_GRANULE_SHIFT);
    rfi_lock_release(&space->lock);
}

/* The tail is given up in the table before the kernel gets it, and taken
 * back when the kernel does not want it. */
static void
shrink(rfi_span_t *head, size_t size)
{
    size_t old_size = head->mapping_size;

    set_mapping_size(head, size);
    if (rfi_page_unmap((char *)head->mapping + size, old_size - size) != 0) {
        set_mapping_size(head, old_size);
    }
}

/* Moves the pages onto a fresh hole in the address space. */
static void *
move(rfi_span_t *head, size_t size, size_t bytes)
{
    rfi_huge_mapping_t hole = {.size = size, .content = RFI_HUGE_NO_ACCESS};
    void *target;

    if (rfi_page_map(&target, size, rfi_huge_mapping_align(size),
                     RFI_PAGE_NONE)
        != 0) {
        return NULL;
    }
    hole.start = target;
    if (rfi_directory_cover(target, RFI_GRANULE_SIZE) != 0) {
        (void)rfi_huge_release(&hole);
        return NULL;
    }
    char *old_start = head->mapping;
    size_t old_size = head->mapping_size;
    size_t old_bytes =
        atomic_load_explicit(&head->requested, memory_order_relaxed);

    rfi_lock_acquire(&space->lock);
    rfi_huge_withdraw(head);
    (void)rfi_huge_table_reserve(&space->table); /* its own place */
    rfi_lock_release(&space->lock);
    bool moved = rfi_page_remap(old_start, old_size, size, target) == 0;

    rfi_lock_acquire(&space->lock);
    if (moved) {
        rfi_huge_publish(target, size, bytes);
    } else {
        rfi_huge_publish(old_start, old_size, old_bytes);
    }
    rfi_lock_release(&space->lock);
    if (!moved) {
        (void)rfi_huge_release(&hole);
        return NULL;
    }
    return target;
}

static void
set_requested(rfi_span_t *head, size_t bytes)
{
    atomic_store_explicit(&head->requested, bytes, memory_order_relaxed);
}

void *
rfi_huge_resize(rfi_span_t *head, size_t bytes)
{
    size_t size = rfi_huge_mapping_size(bytes);
    size_t old_size = head->mapping_size;

    /* At no time is the block longer than its mapping. */
    if (size > old_size) {
        if (rfi_page_remap(head->mapping, old_size, size, NULL) != 0) {
            return move(head, size, bytes);
        }
        set_mapping_size(head, size);
        set_requested(head, bytes);
    } else {
        set_requested(head, bytes);
        if (size < old_size) {
            shrink(head, size);
        }
    }
    return head->mapping;
}
