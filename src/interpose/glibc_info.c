/* SPDX-License-Identifier: MIT
 *
 * The functions with which programs look at and tune glibc's malloc, as far
 * as they have a meaning here. mallopt() accepts everything and does nothing:
 * its parameters are those of another algorithm.
 */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <unistd.h>

#include "api/entry.h"
#include "base/bits.h"
#include "inspect/stats.h"
#include "interpose/libc_names.h"
#include "ringfence/export.h"

RF_API int
malloc_trim(size_t keep)
{
    return rfi_entry_trim(keep);
}

RF_API void
malloc_stats(void)
{
    rf_stats_print(STDERR_FILENO, RF_STATS_TEXT);
}

RF_API int
mallopt(int parameter, int value)
{
    (void)parameter;
    (void)value;
    return 1;
}

RF_API int
__libc_mallopt(int parameter, int value)
{
    return mallopt(parameter, value);
}

static size_t
free_in_class(const rf_class_stats_t *class_stats)
{
    return class_stats->cut_blocks -
           rfi_min(class_stats->live_blocks, class_stats->cut_blocks);
}

/* Blocks that have been cut and are free now, and their bytes. */
static size_t
free_blocks(const rf_stats_t *stats, size_t *bytes)
{
    size_t count = 0;

    *bytes = 0;
    for (size_t i = 0; i < stats->class_count; i++) {
        size_t blocks = free_in_class(&stats->classes[i]);

        count += blocks;
        *bytes += blocks * stats->classes[i].block_bytes;
    }
    return count;
}

/* As in glibc, blocks with a mapping of their own are counted apart, and
 * arena == uordblks + fordblks holds for all others. */
RF_API struct mallinfo2
mallinfo2(void)
{
    rf_stats_t stats;

    rfi_stats_collect(&stats);
    size_t live = stats.small_bytes + stats.large_bytes;
    size_t huge = stats.huge_bytes + stats.huge_cached_bytes;
    size_t segments = rfi_max(stats.mapped_bytes - huge, live);
    size_t free_bytes;

    return (struct mallinfo2){
        .arena = segments,
        .ordblks = free_blocks(&stats, &free_bytes),
        .hblks = stats.huge_blocks,
        .hblkhd = stats.huge_bytes,
        .uordblks = live,
        .fordblks = segments - live,
        .keepcost = stats.dirty_bytes + stats.idle_span_bytes,
    };
}

static int
clamp(size_t value)
{
    return (int)rfi_min(value, INT_MAX);
}

/* The old form, whose fields are too small. Where glibc's wrap, ours stay at
 * the largest value. */
static struct mallinfo
narrow_mallinfo(void)
{
    struct mallinfo2 info = mallinfo2();

    return (struct mallinfo){
        .arena = clamp(info.arena),
        .ordblks = clamp(info.ordblks),
        .hblks = clamp(info.hblks),
        .hblkhd = clamp(info.hblkhd),
        .uordblks = clamp(info.uordblks),
        .fordblks = clamp(info.fordblks),
        .keepcost = clamp(info.keepcost),
    };
}

RF_API struct mallinfo
mallinfo(void)
{
    return narrow_mallinfo();
}

RF_API struct mallinfo
__libc_mallinfo(void)
{
    return narrow_mallinfo();
}

static void
print_class(const rf_class_stats_t *class_stats, FILE *stream)
{
    if (class_stats->spans != 0) {
        fprintf(stream,
                "    <size from=\"%zu\" to=\"%zu\" total=\"%zu\" "
                "count=\"%zu\"/>\n",
                class_stats->block_bytes, class_stats->block_bytes,
                free_in_class(class_stats) * class_stats->block_bytes,
                free_in_class(class_stats));
    }
}

/* glibc's elements, with which its readers find what they look for: sizes
 * and the totals "fast" and "rest" are of free blocks. All heaps are one. */
static void
print_info(const rf_stats_t *stats, FILE *stream)
{
    size_t free_bytes;
    size_t count = free_blocks(stats, &free_bytes);

    fprintf(stream, "<malloc version=\"1\">\n"
                    "<heap nr=\"0\">\n"
                    "  <sizes>\n");
    for (size_t i = 0; i < stats->class_count; i++) {
        print_class(&stats->classes[i], stream);
    }
    fprintf(stream,
            "  </sizes>\n"
            "  <total type=\"fast\" count=\"0\" size=\"0\"/>\n"
            "  <total type=\"rest\" count=\"%zu\" size=\"%zu\"/>\n"
            "</heap>\n",
            count, free_bytes);
    fprintf(stream,
            "<total type=\"rest\" count=\"%zu\" size=\"%zu\"/>\n"
            "<total type=\"mmap\" count=\"%zu\" size=\"%zu\"/>\n"
            "<system type=\"current\" size=\"%zu\"/>\n"
            "</malloc>\n",
            count, free_bytes, stats->huge_blocks, stats->huge_bytes,
            stats->mapped_bytes);
}

RF_API int
malloc_info(int options, FILE *stream)
{
    rf_stats_t stats;

    if (options != 0) {
        return EINVAL;
    }
    rfi_stats_collect(&stats);
    print_info(&stats, stream);
    return 0;
}
