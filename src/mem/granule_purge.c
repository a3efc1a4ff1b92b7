/* SPDX-License-Identifier: MIT
 *
 * When free granules return to the kernel, and segments that nobody needs.
 * There is no thread for it: the heaps call rfi_granule_purge() from their
 * ticks, and a give that raises the dirty share above its limit purges the
 * excess itself.
 */
#include "mem/granule.h"

#include "base/bits.h"
#include "core/config.h"
#include "mem/granule_pass.h"
#include "mem/granule_space.h"
#include "os/process.h"

#define DIRTY_FLOOR (((size_t)32 << 20) / RFI_GRANULE_SIZE)
#define DIRTY_SHARE 4       /* of what is in use */
#define ALLOWANCE_SHRINK 64 /* part of it that ends with every timed pass */

/* A pass looks at all dirty granules: at most so many per delay. */
#define PASSES_PER_DELAY 8

/* After a refusal of the kernel (a seccomp filter, locked memory), gives do
 * not try again for this long. */
#define REFUSAL_MS 1000

static rfi_granule_space_t *const space = &rfi_granule_space;

static _Atomic(uint64_t) next_pass_ms;
static _Atomic(uint64_t) retry_ms; /* no excess purge before */
static _Atomic(bool) purging_excess;

size_t
rfi_granule_dirty_limit(void)
{
    int64_t delay = rfi_config_get(dirty_decay_ms);

    if (RFI_UNLIKELY(delay <= 0)) {
        return delay == 0 ? 0 : SIZE_MAX;
    }
    return rfi_max(DIRTY_FLOOR,
                   rfi_granule_counter(&space->used) / DIRTY_SHARE)
        + rfi_granule_counter(&space->allowance);
}

void
rfi_granule_purge_excess(void)
{
    uint64_t now_ms = rfi_process_clock_ms();

    if (now_ms < atomic_load_explicit(&retry_ms, memory_order_relaxed)) {
        return;
    }
    if (atomic_exchange_explicit(&purging_excess, true,
                                 memory_order_relaxed)) {
        return; /* another thread is at it */
    }
    rfi_granule_pass_t pass = {
        .now_ms = now_ms,
        .everything = true,
        .is_excess = true,
        .keep = rfi_granule_dirty_limit() / 2,
    };

    rfi_granule_pass_run(&pass);
    if (pass.was_refused) {
        atomic_store_explicit(&retry_ms, now_ms + REFUSAL_MS,
                              memory_order_relaxed);
    }
    atomic_store_explicit(&purging_excess, false, memory_order_relaxed);
}

/* Time has passed: what was purged before is not missed, and the allowance
 * fades. */
static void
settle_allowance(void)
{
    rfi_lock_acquire(&space->lock);
    size_t part = rfi_divide_up(rfi_granule_counter(&space->allowance),
                                ALLOWANCE_SHRINK);

    rfi_granule_subtract(&space->allowance, part);
    atomic_store_explicit(&space->regrettable, 0, memory_order_relaxed);
    rfi_lock_release(&space->lock);
}

/* ---- Segments that nobody needs --------------------------------------- */

/* Takes the highest segment that is wholly free and clean out of the index,
 * or a stranded one; NULL when there is none. */
static rfi_segment_t *
detach_idle_segment(void)
{
    rfi_segment_index_t *index = &space->index;

    for (uint32_t i = index->count; i > 0; i--) {
        rfi_segment_t *segment = index->slots[i - 1].segment;

        if (segment->free_count == segment->granules
            && segment->dirty_count == 0 && !segment->is_first) {
            rfi_segment_index_remove(index, i - 1);
            rfi_granule_subtract(&space->segments, 1);
            return segment;
        }
    }
    return rfi_segment_pop_stranded();
}

static void
unmap_idle_segments(void)
{
    rfi_segment_t *segment;
    bool is_unmapped = true;

    rfi_lock_acquire(&space->lock);
    while (is_unmapped && (segment = detach_idle_segment()) != NULL) {
        rfi_lock_release(&space->lock);
        is_unmapped = rfi_segment_unmap(segment);
        rfi_lock_acquire(&space->lock);
        rfi_segment_recycle(segment, is_unmapped);
    }
    rfi_lock_release(&space->lock);
}

/* Is a timed pass due? Then it is the caller's. */
static bool
claim_pass(uint64_t now_ms, int64_t delay)
{
    uint64_t due = atomic_load_explicit(&next_pass_ms, memory_order_relaxed);

    if (RFI_LIKELY(now_ms < due) || delay < 0
        || (rfi_granule_counter(&space->dirty) == 0
            && rfi_granule_counter(&space->segments) <= 1)) {
        return false;
    }
    uint64_t next = now_ms + (uint64_t)delay / PASSES_PER_DELAY + 1;

    return atomic_compare_exchange_strong_explicit(
        &next_pass_ms, &due, next, memory_order_relaxed,
        memory_order_relaxed);
}

size_t
rfi_granule_purge(uint64_t now_ms, bool everything)
{
    int64_t delay = rfi_config_get(dirty_decay_ms);

    if (!everything && !claim_pass(now_ms, delay)) {
        return 0;
    }
    rfi_granule_pass_t pass = {
        .now_ms = now_ms,
        .delay_ms = (uint32_t)delay,
        .everything = everything,
    };

    rfi_granule_pass_run(&pass);
    settle_allowance();
    unmap_idle_segments();
    return pass.purged * RFI_GRANULE_SIZE;
}
