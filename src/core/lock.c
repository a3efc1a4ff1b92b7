/* SPDX-License-Identifier: MIT
 *
 * The three-state futex mutex (Drepper, "Futexes are tricky"): only a lock
 * that has been marked as waited for costs its holder a wake-up call. Locks
 * are held for a few hundred instructions, so a waiter first spins.
 */
#include "core/lock.h"

#include "base/assert.h"
#include "base/bits.h"
#include "base/compiler.h"
#include "os/thread.h"

enum { FREE, HELD, WAITED_FOR };

#define SPINS 100

/* Locks held by this thread, for assertions: byte r counts those of rank r.
 * Not referenced, and so not there, in builds without assertions. */
static RFI_TLS uint64_t held_ranks;

_Static_assert(RFI_RANK_META < 8, "one byte of held_ranks for each rank");

static _Atomic(uint64_t) waits;

static uint64_t
one_of_rank(uint32_t rank)
{
    return UINT64_C(1) << (8 * rank);
}

/* May a lock of this rank be waited for now? With `repeat`, also when the
 * highest rank held is the same. */
static bool
is_in_order(uint32_t rank, bool repeat)
{
    if (held_ranks == 0) {
        return true;
    }
    uint32_t highest = rfi_log2_floor(held_ranks) / 8;
    return rank > highest || (repeat && rank == highest);
}

static void
note_acquired(const rfi_lock_t *lock)
{
    if (RFI_ASSERTING) {
        held_ranks += one_of_rank(lock->rank);
    }
}

static bool
take_if_free(rfi_lock_t *lock)
{
    uint32_t expected = FREE;

    /* Acquire pairs with the release in rfi_lock_release(). */
    return atomic_compare_exchange_strong_explicit(&lock->state, &expected,
                                                   HELD, memory_order_acquire,
                                                   memory_order_relaxed);
}

static RFI_COLD void
wait_for(rfi_lock_t *lock)
{
    for (unsigned i = 0; i < SPINS; i++) {
        if (atomic_load_explicit(&lock->state, memory_order_relaxed) == FREE &&
            take_if_free(lock)) {
            return;
        }
        rfi_thread_pause();
    }
    /* From here on the lock is taken as WAITED_FOR: there may be others that
     * wait, and nobody counts them. The price is one needless wake-up. */
    while (atomic_exchange_explicit(&lock->state, WAITED_FOR,
                                    memory_order_acquire) != FREE) {
        atomic_fetch_add_explicit(&waits, 1, memory_order_relaxed);
        rfi_thread_wait(&lock->state, WAITED_FOR);
    }
}

static void
acquire(rfi_lock_t *lock)
{
    if (RFI_UNLIKELY(!take_if_free(lock))) {
        wait_for(lock);
    }
    note_acquired(lock);
}

void
rfi_lock_acquire(rfi_lock_t *lock)
{
    rfi_assert(is_in_order(lock->rank, false));
    acquire(lock);
}

void
rfi_lock_acquire_next(rfi_lock_t *lock)
{
    rfi_assert(is_in_order(lock->rank, true));
    acquire(lock);
}

bool
rfi_lock_try(rfi_lock_t *lock)
{
    /* In any order: who does not wait cannot close a circle. */
    if (!take_if_free(lock)) {
        return false;
    }
    note_acquired(lock);
    return true;
}

void
rfi_lock_release(rfi_lock_t *lock)
{
    if (RFI_ASSERTING) {
        rfi_assert((held_ranks >> (8 * lock->rank) & 0xff) != 0);
        held_ranks -= one_of_rank(lock->rank);
    }
    /* Release pairs with the acquire in take_if_free() and wait_for(). */
    uint32_t old =
        atomic_exchange_explicit(&lock->state, FREE, memory_order_release);

    rfi_assert(old != FREE);
    if (RFI_UNLIKELY(old == WAITED_FOR)) {
        rfi_thread_wake_one(&lock->state);
    }
}

void
rfi_lock_reset(rfi_lock_t *lock)
{
    atomic_store_explicit(&lock->state, FREE, memory_order_relaxed);
}

void
rfi_lock_forget_held(void)
{
    if (RFI_ASSERTING) {
        held_ranks = 0;
    }
}

uint64_t
rfi_lock_waits(void)
{
    return atomic_load_explicit(&waits, memory_order_relaxed);
}
