/* SPDX-License-Identifier: MIT
 *
 * The countdown of a span's owner. free() decrements `needed` and does not
 * know why; here it is set and read. `armed - needed`, modulo 2^32, is the
 * number of blocks that the owner has freed since the last event, also when
 * an event was missed and the countdown has wrapped.
 */
#ifndef RINGFENCE_HEAP_SPAN_COUNT_H
#define RINGFENCE_HEAP_SPAN_COUNT_H

#include "base/bits.h"
#include "heap/heap.h"
#include "heap/shared_list.h"

/* `out` is read by others while the span is FULL, and frozen then; relaxed,
 * since the FULL bit of the shared word carries the order. */
static inline uint32_t
rfi_span_out(const rfi_span_t *span)
{
    return atomic_load_explicit(&span->out, memory_order_relaxed);
}

static inline void
rfi_span_set_out(rfi_span_t *span, uint32_t out)
{
    atomic_store_explicit(&span->out, out, memory_order_relaxed);
}

/* `carved` only grows while the span lives; other threads read it to tell
 * whether a pointer can be a block at all. */
static inline uint32_t
rfi_span_carved(const rfi_span_t *span)
{
    return atomic_load_explicit(&span->carved, memory_order_relaxed);
}

static inline void
rfi_span_set_carved(rfi_span_t *span, uint32_t carved)
{
    atomic_store_explicit(&span->carved, (uint16_t)carved,
                          memory_order_relaxed);
}

/* Folds the owner's frees into `out` and returns it. Owner only; not while
 * the span is FULL, since others rely on `out` then. */
static inline uint32_t
rfi_span_settle(rfi_span_t *span)
{
    uint32_t out = rfi_span_out(span) - (span->armed - span->needed);

    rfi_span_set_out(span, out);
    span->armed = span->needed;
    return out;
}

/* The next event comes after `frees` frees by the owner; 0 means never. */
static inline void
rfi_span_arm(rfi_span_t *span, uint32_t frees)
{
    span->armed = span->needed = frees != 0 ? frees : UINT32_MAX;
}

static inline bool
rfi_span_has_uncut(const rfi_span_t *span)
{
    return rfi_span_carved(span) < span->capacity;
}

static inline uint64_t
rfi_span_shared(const rfi_span_t *span)
{
    return atomic_load_explicit(&span->shared, memory_order_relaxed);
}

/* Is every block free? `out` must be settled. Others may be pushing, so that
 * a true answer is final and a false one may be outdated. */
static inline bool
rfi_span_is_empty(const rfi_span_t *span)
{
    /* Acquire: pairs with rfi_remote_push(). When it is true, the memory goes
     * to others, after the last stores of those who freed the blocks. */
    uint64_t word = atomic_load_explicit(&span->shared, memory_order_acquire);

    return rfi_span_out(span) == rfi_shared_count(word);
}

/* How many blocks of a FULL span must be free again before it is worth
 * looking at: an eighth. Fewer would mean more visits for less memory. */
static inline uint32_t
rfi_span_wake_count(uint32_t out)
{
    return (uint32_t)rfi_max(out / 8, 1);
}

#endif
