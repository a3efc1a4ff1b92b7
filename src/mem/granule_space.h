/* SPDX-License-Identifier: MIT
 *
 * The one space of all granules, shared by the files of the granule layer:
 * granule*.c. Nobody else includes this. Everything is guarded by the lock,
 * but for the counters, which are written under it and may be read at any
 * time.
 */
#ifndef RINGFENCE_MEM_GRANULE_SPACE_H
#define RINGFENCE_MEM_GRANULE_SPACE_H

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#include "base/bits.h"
#include "base/compiler.h"
#include "core/lock.h"
#include "mem/segment.h"
#include "mem/segment_index.h"

typedef struct rfi_granule_space {
    rfi_lock_t lock;
    rfi_segment_index_t index;
    /* Counters, in granules unless said. */
    _Atomic(size_t) used;
    _Atomic(size_t) dirty;
    _Atomic(size_t) held;
    _Atomic(size_t) segments;
    /* Purged as excess lately; and dirty granules that are kept beyond the
     * usual limit, since their like was missed soon after. */
    _Atomic(size_t) regrettable;
    _Atomic(size_t) allowance;
    _Atomic(size_t) purged_bytes;
    _Atomic(size_t) purges;
    _Atomic(size_t) takes;
} rfi_granule_space_t;

extern RFI_HIDDEN rfi_granule_space_t rfi_granule_space;

static inline size_t
rfi_granule_counter(const _Atomic(size_t) *counter)
{
    return atomic_load_explicit(counter, memory_order_relaxed);
}

/* One writer at a time, so no locked instruction. */
static inline void
rfi_granule_add(_Atomic(size_t) *counter, size_t amount)
{
    atomic_store_explicit(counter, rfi_granule_counter(counter) + amount,
                          memory_order_relaxed);
}

static inline void
rfi_granule_subtract(_Atomic(size_t) *counter, size_t amount)
{
    atomic_store_explicit(counter, rfi_granule_counter(counter) - amount,
                          memory_order_relaxed);
}

/* A program that frees and takes more than the dirty limit in turns would
 * have the kernel drop and supply the same pages for ever: granules that had
 * to be taken clean soon after as many were purged as excess raise the
 * limit. The lock is held. */
static inline void
rfi_granule_note_fresh(rfi_granule_space_t *space, size_t fresh)
{
    size_t regret = rfi_min(fresh, rfi_granule_counter(&space->regrettable));

    if (regret != 0) {
        rfi_granule_subtract(&space->regrettable, regret);
        rfi_granule_add(&space->allowance, regret);
    }
}

/* Looks for `run->count` free granules at a multiple of `align`; fills in
 * segment and start. Returns the segment's position in the index, or the
 * number of segments when the run fits nowhere. The lock is held. */
uint32_t rfi_granule_find(rfi_run_t *run, uint32_t align);

/* Takes a free run of the segment at this position, and makes it free again.
 * Claim returns how many granules were dirty. The lock is held. */
uint32_t rfi_granule_claim(const rfi_run_t *run, uint32_t position);
void rfi_granule_unclaim(const rfi_run_t *run, uint32_t position, bool dirty,
                         uint32_t now_ms);

/* Takes a free run out of reach of searches, as held, and makes it free
 * again. The lock is held. Hold returns how many granules were dirty. */
uint32_t rfi_granule_hold(const rfi_run_t *run);
void rfi_granule_unhold(const rfi_run_t *run, bool dirty, uint32_t now_ms);

/* The number of dirty granules above which some go back to the kernel at
 * once: 0 for dirty_decay_ms=0, out of reach for -1. */
size_t rfi_granule_dirty_limit(void);

/* Purges until half of that limit is left. Without the lock. */
void rfi_granule_purge_excess(void);

#endif
