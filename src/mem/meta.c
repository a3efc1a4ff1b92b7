/* SPDX-License-Identifier: MIT
 *
 * Cuts metadata from regions by moving a pointer. Small requests share
 * regions of 256 KiB; larger ones get a region of their own, so that the
 * rest of the current region is not wasted on them.
 */
#include "mem/meta.h"

#include <stdatomic.h>
#include <stdint.h>

#include "base/assert.h"
#include "base/bits.h"
#include "base/compiler.h"
#include "core/lock.h"
#include "mem/guarded.h"
#include "os/page.h"

#define REGION_SIZE ((size_t)256 << 10)
#define OWN_REGION_MIN (REGION_SIZE / 4)

static rfi_lock_t lock = RFI_LOCK_INIT(RFI_RANK_META);
static uintptr_t region_next; /* first byte not handed out */
static uintptr_t region_end;
static _Atomic(size_t) mapped;

static uintptr_t
map_region(size_t size)
{
    void *start;

    if (rfi_guarded_map(&start, size) != 0) {
        return 0;
    }
    atomic_fetch_add_explicit(&mapped, size, memory_order_relaxed);
    return (uintptr_t)start;
}

/* Replaces the current region; a full-sized one if possible. */
static bool
renew_region_locked(size_t size)
{
    size_t length = REGION_SIZE;
    uintptr_t start = map_region(length);

    if (start == 0) {
        length = rfi_align_up(size, rfi_page_size());
        start = map_region(length);
    }
    if (start == 0) {
        return false;
    }
    region_next = start;
    region_end = start + length;
    return true;
}

static void *
alloc_locked(size_t size, size_t align)
{
    uintptr_t start = rfi_align_up(region_next, align);

    if (start > region_end || region_end - start < size) {
        if (!renew_region_locked(size)) {
            return NULL;
        }
        start = region_next;
    }
    region_next = start + size;
    return (void *)start;
}

void *
rfi_meta_alloc(size_t size, size_t align)
{
    rfi_assert(rfi_is_power_of_two(align) && align <= rfi_page_size());
    if (size > SIZE_MAX / 2) {
        return NULL;
    }
    if (size >= OWN_REGION_MIN) {
        return (void *)map_region(rfi_align_up(size, rfi_page_size()));
    }
    rfi_lock_acquire(&lock);
    void *result = alloc_locked(size, align);

    rfi_lock_release(&lock);
    return result;
}

size_t
rfi_meta_mapped(void)
{
    return atomic_load_explicit(&mapped, memory_order_relaxed);
}

void
rfi_meta_fork_prepare(void)
{
    rfi_lock_acquire(&lock);
}

void
rfi_meta_fork_parent(void)
{
    rfi_lock_release(&lock);
}

void
rfi_meta_fork_child(void)
{
    rfi_lock_reset(&lock);
}
