/* SPDX-License-Identifier: MIT
 *
 * ringfence: what the heap holds.
 *
 * Counts are numbers of things, `_bytes` are bytes. Everything is since the
 * start of the process or at the moment of the call; other threads go on
 * while it is being read, so that figures need not add up to the byte.
 * Blocks that a thread has taken from a span to hand out next count as live,
 * but for those of the calling thread.
 *
 * The functions may be called from any thread; they never allocate.
 */
#ifndef RINGFENCE_STATS_H
#define RINGFENCE_STATS_H

#include <stddef.h>
#include <stdint.h>

#include "ringfence/export.h"

#ifdef __cplusplus
extern "C" {
#endif

#define RF_STATS_CLASSES 64

/* One size class. */
typedef struct rf_class_stats {
    size_t block_bytes; /* size of each block */
    size_t spans;       /* runs of memory that hold blocks of this class */
    size_t span_bytes;  /* their size in all */
    size_t cut_blocks;  /* blocks cut off the spans so far */
    size_t live_blocks; /* those that the program has */
} rf_class_stats_t;

typedef struct rf_stats {
    size_t size; /* of this struct, set by the caller: versions may grow it */

    /* What the program has. */
    size_t live_bytes;   /* all blocks, at the size they really have */
    size_t small_blocks; /* in size classes */
    size_t small_bytes;
    size_t large_blocks; /* in segments, but each with a span of its own */
    size_t large_bytes;
    size_t huge_blocks; /* with a mapping of their own */
    size_t huge_bytes;

    /* Where it lies. */
    size_t active_bytes;    /* spans with live blocks, and huge blocks */
    size_t cached_bytes;    /* kept for reuse: the next three */
    size_t idle_span_bytes; /* spans without a live block */
    size_t dirty_bytes;     /* free, and not yet back with the kernel */
    size_t huge_cached_bytes;
    size_t segments;     /* mappings that spans are taken from */
    size_t mapped_bytes; /* address space of segments and huge blocks */
    size_t purged_bytes; /* given back to the kernel since start */
    uint64_t purges;     /* in how many goes */

    /* What it costs. */
    size_t metadata_bytes;  /* records of heaps and segments */
    size_t directory_bytes; /* address space of span descriptors */
    size_t heaps;           /* ever made: the most threads at a time */
    size_t heaps_idle;      /* without a thread at the moment */
    uint64_t lock_waits;    /* waits for a lock, in the kernel */

    size_t class_count;
    rf_class_stats_t classes[RF_STATS_CLASSES];
} rf_stats_t;

typedef enum rf_stats_format {
    RF_STATS_TEXT,      /* a table for people */
    RF_STATS_JSON,      /* one object, named as the struct is */
    RF_STATS_PROMETHEUS /* gauges and counters named ringfence_... */
} rf_stats_format_t;

/* Fills the first stats->size bytes of the struct and sets `size` to what
 * was filled. Returns 0, or -1 with errno EINVAL when size is too small to
 * hold itself. Takes time in proportion to the heap: a look at each span. */
RF_API int rf_stats_read(rf_stats_t *stats);

/* Writes the figures to a file descriptor; errors in writing are ignored.
 * Returns 0, or -1 with errno EINVAL when the format is none. */
RF_API int rf_stats_print(int fd, rf_stats_format_t format);

/* Active to live bytes in per cent: 100 is a heap without waste, 130 one that
 * holds 30 % more than the program has. 100 when nothing lives. */
static inline unsigned
rf_stats_fragmentation(const rf_stats_t *stats)
{
    if (stats->live_bytes == 0) {
        return 100;
    }
    return (unsigned)(stats->active_bytes * 100 / stats->live_bytes);
}

/* Name of the mode that the process runs in: "release". Static. */
RF_API const char *rf_mode(void);

#ifdef __cplusplus
}
#endif

#endif
