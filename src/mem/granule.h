/* SPDX-License-Identifier: MIT
 *
 * Runs of granules (64 KiB) out of segments: find, give back, grow, shrink,
 * and return to the kernel with delay. Segments (mem/segment.h) are kernel
 * mappings of 4 to 256 MiB; this module decides which granules of which
 * segment serve a span. Everything here is thread-safe under one lock, which
 * is never held across a system call that may be slow (purge, unmap).
 *
 * Policy: lowest address first among the segments, so that the heap stays
 * dense and high segments drain; dirty granules before clean ones at equal
 * address order, since they are resident already.
 *
 * Out of memory is NULL; nothing has changed then.
 */
#ifndef RINGFENCE_MEM_GRANULE_H
#define RINGFENCE_MEM_GRANULE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "mem/span.h"

/* A run of `count` granules whose address is a multiple of `align` granules
 * (a power of two). On return the head descriptor has kind, granules and
 * flags (RFI_SPAN_ZERO when every byte is known to be zero) set and is zero
 * otherwise; the descriptors of the other granules are SECONDARY. The owner
 * words are NULL: the caller publishes them. */
rfi_span_t *rfi_granule_take(uint32_t count, uint32_t align,
                             rfi_span_kind_t kind);

/* Gives a span's granules back; its descriptors become all zero, with
 * owner_fast cleared first. `clean` says that every byte is still zero: the
 * span had the flag RFI_SPAN_ZERO, and nobody has written to it. */
void rfi_granule_give(rfi_span_t *head, bool clean);

/* Extends a span in place to `count` granules; false when the granules that
 * follow are not free. *zero tells whether all added bytes are zero. */
bool rfi_granule_grow(rfi_span_t *head, uint32_t count, bool *zero);

/* Gives the granules beyond `count` back. */
void rfi_granule_shrink(rfi_span_t *head, uint32_t count);

/* Returns dirty granules to the kernel: those free for longer than the
 * option dirty_decay_ms, or all when `everything`; then segments that are
 * wholly free and clean, except the first. Cheap when nothing is due; looks
 * at most eight times per delay. Returns the bytes purged.
 *
 * Without any call, the layer itself keeps the dirty share below
 * max(32 MiB, a quarter of what is in use), plus what a program has shown to
 * need again at once: a give that passes it purges down to the half. */
size_t rfi_granule_purge(uint64_t now_ms, bool everything);

/* Does the address lie in a segment, whatever is there now? */
bool rfi_granule_holds(const void *address);

typedef struct rfi_granule_stats {
    size_t segments;        /* number of segments */
    size_t mapped_bytes;    /* address space of all segments */
    size_t used_bytes;      /* granules in spans */
    size_t dirty_bytes;     /* free granules that are still resident */
    size_t purged_bytes;    /* returned to the kernel since start */
    uint64_t purges;        /* calls of purge that returned something */
    uint64_t takes;         /* granule runs taken since start */
} rfi_granule_stats_t;

void rfi_granule_stats(rfi_granule_stats_t *stats);

/* 0, or the number of the first broken invariant, which granule_audit.c
 * lists. */
int rfi_granule_audit(void);

/* Around fork; called by api/lifecycle.c in rank order. */
void rfi_granule_fork_prepare(void);
void rfi_granule_fork_parent(void);
void rfi_granule_fork_child(void);

#endif
