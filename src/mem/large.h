/* SPDX-License-Identifier: MIT
 *
 * Blocks above the largest size class: large ones (below 4 MiB) are a run
 * of granules of a segment, huge ones have a mapping of their own. A large
 * or huge block starts at the start of its span. Its usable size is the
 * requested size rounded up to the page (mem never touches what lies
 * beyond, so that the rest of the last granule stays unresident).
 *
 * Huge blocks describe only their first granule in the directory; an ordered
 * table answers for addresses inside of them. Freed huge mappings are kept
 * for reuse for a moment: at most 64 MiB in all, each for the time of the
 * option dirty_decay_ms.
 *
 * All functions are thread-safe and any thread may free any block. Out of
 * memory is NULL with the heap unchanged. errno is left alone.
 */
#ifndef RINGFENCE_MEM_LARGE_H
#define RINGFENCE_MEM_LARGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "mem/span.h"

#define RFI_HUGE_MIN ((size_t)4 << 20)

/* A block of `size` bytes at a multiple of `align` (a power of two, at most
 * 1 GiB). With `zeroed` all bytes are zero, at the least cost. */
void *rfi_large_alloc(size_t size, size_t align, bool zeroed);

/* Frees the block that this head descriptor of kind LARGE or HUGE holds. The
 * caller has checked that the pointer is its start. Returns false when the
 * span was freed by another thread first (a racing double free). */
bool rfi_large_free(rfi_span_t *head);

/* Bytes that the caller may use. */
size_t rfi_large_usable(const rfi_span_t *head);

/* Changes the size without copying: large blocks grow into free granules
 * that follow and give back what they no longer need, huge ones are
 * remapped and may move. Returns the block's (new) start, or NULL when the
 * caller must allocate, copy and free instead: the block is unchanged then.
 * `new_size` must be above the largest size class. */
void *rfi_large_resize(rfi_span_t *head, size_t new_size);

/* The head of the huge block that holds the address, or NULL. */
rfi_span_t *rfi_huge_find(const void *address);

/* Returns cached huge mappings that are due (or all) to the kernel; bytes. */
size_t rfi_huge_purge(uint64_t now_ms, bool everything);

typedef struct rfi_large_stats {
    size_t large_blocks, large_bytes;   /* live, usable bytes */
    size_t huge_blocks, huge_bytes;     /* live, mapped bytes */
    size_t huge_cached_bytes;
} rfi_large_stats_t;

void rfi_large_stats(rfi_large_stats_t *stats);

/* 0, or the number of the first broken invariant, which huge_audit.c
 * lists. */
int rfi_huge_audit(void);

void rfi_huge_fork_prepare(void);
void rfi_huge_fork_parent(void);
void rfi_huge_fork_child(void);

#endif
