/* SPDX-License-Identifier: MIT
 *
 * A small mutex on a futex word. Every lock has a rank; a thread takes locks
 * in rising rank only (asserted in builds with RFI_ASSERTS), and fork takes
 * them in the same order. A lock never allocates and never touches errno.
 * Never held while calling into libc or the user's code.
 */
#ifndef RINGFENCE_CORE_LOCK_H
#define RINGFENCE_CORE_LOCK_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/* In the order in which they may be taken. */
typedef enum rfi_lock_rank {
    RFI_RANK_LIFECYCLE = 1, /* start of the library */
    RFI_RANK_HEAP_POOL,     /* pool of heaps without a thread */
    RFI_RANK_SHELF,         /* spans waiting for their owner; one at a time */
    RFI_RANK_HUGE,          /* table and cache of huge blocks */
    RFI_RANK_GRANULE,       /* segments and their granules */
    RFI_RANK_META,          /* metadata and the directory's leaves */
} rfi_lock_rank_t;

typedef struct rfi_lock {
    _Atomic(uint32_t) state; /* 0 free, 1 held, 2 held and waited for */
    uint32_t rank;
} rfi_lock_t;

#define RFI_LOCK_INIT(the_rank) {.state = 0, .rank = (the_rank)}

void rfi_lock_acquire(rfi_lock_t *lock);

/* For a thread that takes all locks of a rank, as fork does: the rank may be
 * the same as the highest one held. All callers follow one order. */
void rfi_lock_acquire_next(rfi_lock_t *lock);

/* Takes the lock if it is free; never waits, and so may ignore the ranks. */
bool rfi_lock_try(rfi_lock_t *lock);

void rfi_lock_release(rfi_lock_t *lock);

/* In the child of fork: makes the lock free, whoever held it. */
void rfi_lock_reset(rfi_lock_t *lock);

/* In the child of fork, after the resets: this thread holds no lock. */
void rfi_lock_forget_held(void);

/* Acquisitions that had to wait in the kernel, since start (statistics). */
uint64_t rfi_lock_waits(void);

#endif
