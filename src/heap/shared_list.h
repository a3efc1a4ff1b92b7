/* SPDX-License-Identifier: MIT
 *
 * The word `shared` of a span: the list of its blocks that other threads
 * have freed, how many they are, and two flags, in one atomic.
 *
 *   63       48 47                          4 3     1      0
 *  +-----------+-----------------------------+--+---------+------+
 *  |   count   |  address of the first block |  | SHELVED | FULL |
 *  +-----------+-----------------------------+--+---------+------+
 *
 * Blocks are aligned to 16 bytes, so the low four bits are free for flags.
 * Any thread may push while it holds blocks to free; only the owner, or who
 * holds the owner's shelf lock, takes the list (heap/shelf.h has the rules).
 *
 * FULL     the owner has nothing left in this span and has let go of it:
 *          freeing threads must watch the count. While FULL is set `out` is
 *          frozen, so that count == out proves that every block is back.
 * SHELVED  the span stands on its owner's shelf.
 */
#ifndef RINGFENCE_HEAP_SHARED_LIST_H
#define RINGFENCE_HEAP_SHARED_LIST_H

#include <stdatomic.h>
#include <stdint.h>

#include "heap/block.h"
#include "mem/span.h"

#define RFI_SHARED_FULL ((uint64_t)1)
#define RFI_SHARED_SHELVED ((uint64_t)2)
#define RFI_SHARED_FLAGS ((uint64_t)15)
#define RFI_SHARED_COUNT_SHIFT 48

static inline void *
rfi_shared_head(uint64_t word)
{
    uint64_t address_mask = ((uint64_t)1 << RFI_SHARED_COUNT_SHIFT) - 1;
    return (void *)(uintptr_t)(word & address_mask & ~RFI_SHARED_FLAGS);
}

static inline uint32_t
rfi_shared_count(uint64_t word)
{
    return (uint32_t)(word >> RFI_SHARED_COUNT_SHIFT);
}

static inline uint64_t
rfi_shared_pack(const void *head, uint32_t count, uint64_t flags)
{
    return (uint64_t)count << RFI_SHARED_COUNT_SHIFT |
           (uint64_t)(uintptr_t)head | flags;
}

/* Pushes a list of `count` blocks (head and tail NULL for none), sets the
 * flags given beside those that are set, and returns the new word. */
static inline uint64_t
rfi_shared_push(rfi_span_t *span, rfi_block_t *head, rfi_block_t *tail,
                uint32_t count, uint64_t flags)
{
    uint64_t word = atomic_load_explicit(&span->shared, memory_order_relaxed);
    uint64_t wanted;

    do {
        rfi_block_t *rest = rfi_shared_head(word);

        if (tail != NULL) {
            tail->next = rest;
        }
        wanted = rfi_shared_pack(tail != NULL ? head : rest,
                                 rfi_shared_count(word) + count,
                                 (word & RFI_SHARED_FLAGS) | flags);
        /* Release: the links and what the user wrote reach the taker. Acquire:
         * FULL, if set, makes the frozen `out` visible (shelf.h R2). */
    } while (!atomic_compare_exchange_weak_explicit(
        &span->shared, &word, wanted, memory_order_acq_rel,
        memory_order_relaxed));
    return wanted;
}

#endif
