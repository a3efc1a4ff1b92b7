/* SPDX-License-Identifier: MIT
 *
 * A segment: one kernel mapping of 4 to 256 MiB whose granules are handed
 * out. Its record holds one bit per granule for each question and lives in
 * metadata. This module maps and unmaps segments, commits and purges parts of
 * them, and keeps the record's bits and counts consistent; which segment
 * serves a request is decided in mem/granule.c.
 *
 *   granule   0   1   2   3   4   5  ...
 *   free      1   1   0   0   1   1      0: in a span, or held
 *   dirty     1   0   0   0   0   1      free, but its content is resident
 *   committed 1 for each chunk of 32     0 only under overcommit mode 2
 *
 * A held granule is neither free nor in a span: it is on its way to the
 * kernel, without the lock.
 *
 * The caller holds the granule lock, except for rfi_segment_purge_run() and
 * rfi_segment_unmap(), which talk to the kernel for long.
 */
#ifndef RINGFENCE_MEM_SEGMENT_H
#define RINGFENCE_MEM_SEGMENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "mem/span.h"

typedef struct rfi_segment {
    char *start;       /* NULL: a spare record without a mapping */
    uint32_t granules; /* length */
    uint32_t capacity; /* granules for which the record has bits */
    bool is_first;     /* never unmapped */
    uint32_t free_count;
    uint32_t dirty_count;
    uint32_t held_count;
    uint32_t lowest; /* no granule below is free */
    uint64_t *free;
    uint64_t *dirty;
    uint64_t *committed; /* one bit per chunk */
    uint32_t *freed_ms;  /* per granule: when it became dirty */
    struct rfi_segment *next; /* among spare and stranded records */
} rfi_segment_t;

/* A run of granules of a segment. */
typedef struct rfi_run {
    rfi_segment_t *segment;
    uint32_t first;
    uint32_t count;
} rfi_run_t;

static inline void *
rfi_run_address(const rfi_run_t *run)
{
    return run->segment->start + run->first * RFI_GRANULE_SIZE;
}

/* How many chunks so many granules fill or begin. */
static inline uint32_t
rfi_segment_chunks(uint32_t granules)
{
    const uint32_t chunk_granules = RFI_GRANULES_PER_CHUNK;

    return (granules + chunk_granules - 1) / chunk_granules;
}

/* A new segment, all free and clean, that starts at a multiple of `align`
 * granules and has at least `count`. Its leaves of the directory exist. NULL
 * when there is no memory. */
rfi_segment_t *rfi_segment_create(uint32_t count, uint32_t align);

/* Bytes of all segments. Needs no lock. */
size_t rfi_segment_mapped(void);

/* Gives the mapping of a segment that nobody can find any more back to the
 * kernel; false when the kernel refuses. Without the lock. */
bool rfi_segment_unmap(const rfi_segment_t *segment);

/* Keeps the record of a segment for the next one. When it is still mapped
 * (it is stranded then), the mapping is used first. */
void rfi_segment_recycle(rfi_segment_t *segment, bool is_unmapped);

/* A stranded segment to try again, or NULL. */
rfi_segment_t *rfi_segment_pop_stranded(void);

/* Takes a run that is free. Returns how many of its granules were dirty. */
uint32_t rfi_segment_take(rfi_segment_t *segment, uint32_t first,
                          uint32_t count);

/* The reverse; `now_ms` counts when dirty. */
void rfi_segment_give(rfi_segment_t *segment, uint32_t first, uint32_t count,
                      bool dirty, uint32_t now_ms);

/* Among how many heaps the memory is shared: told by heap/heap_pool.c, for
 * what the option thp means by default. */
void rfi_segment_set_heaps(size_t count);

/* Passes the option thp on to the kernel for a part of a segment. */
void rfi_segment_advise_huge(void *start, size_t size, bool is_first);

/* Makes a run accessible. False when the kernel has no memory for it. */
bool rfi_segment_commit(rfi_segment_t *segment, uint32_t first,
                        uint32_t count);

/* The system's overcommit mode, -1 before it has been looked up. Tests set
 * it. */
extern RFI_HIDDEN _Atomic(int) rfi_segment_overcommit;

/* Do accessible pages count against a limit, so that chunks are committed
 * one by one and given back whole (overcommit mode 2)? */
bool rfi_segment_is_strict(void);

/* Drops the content of a held run; with `decommit`, which wants whole
 * chunks, also its charge. False when the kernel refuses: nothing has
 * changed then. Without the lock. */
bool rfi_segment_purge_run(const rfi_run_t *run, bool decommit);

/* Notes that the chunks of a held run have been decommitted. */
void rfi_segment_note_decommit(const rfi_run_t *run);

#endif
