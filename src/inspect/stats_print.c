/* SPDX-License-Identifier: MIT
 *
 * The statistics for people: a few lines, then a table of the size classes
 * that are in use.
 */
#include "base/format.h"
#include "inspect/stats.h"
#include "inspect/writer.h"

typedef struct amount {
    char text[24];
} amount_t;

/* Bytes with one decimal in the largest unit that leaves a digit before the
 * point. */
static amount_t
amount(size_t bytes)
{
    static const char *const units[] = {"KiB", "MiB", "GiB", "TiB"};
    amount_t result;
    unsigned unit = 0;

    if (bytes < 1024) {
        rfi_format(result.text, sizeof(result.text), "%zu B", bytes);
        return result;
    }
    while (bytes >= (size_t)1024 * 1024 && unit < 3) {
        bytes /= 1024;
        unit++;
    }
    rfi_format(result.text, sizeof(result.text), "%zu.%zu %s", bytes / 1024,
               bytes % 1024 * 10 / 1024, units[unit]);
    return result;
}

static void
print_program(rfi_writer_t *out, const rf_stats_t *stats)
{
    rfi_writer_print(out, "  live      %12s  %u %% active\n",
                     amount(stats->live_bytes).text,
                     rf_stats_fragmentation(stats));
    rfi_writer_print(out, "  small     %12s  in %zu blocks\n",
                     amount(stats->small_bytes).text, stats->small_blocks);
    rfi_writer_print(out, "  large     %12s  in %zu blocks\n",
                     amount(stats->large_bytes).text, stats->large_blocks);
    rfi_writer_print(out, "  huge      %12s  in %zu blocks\n",
                     amount(stats->huge_bytes).text, stats->huge_blocks);
}

static void
print_memory(rfi_writer_t *out, const rf_stats_t *stats)
{
    rfi_writer_print(out, "  active    %12s  spans with live blocks\n",
                     amount(stats->active_bytes).text);
    rfi_writer_print(out,
                     "  cached    %12s  idle spans %s, dirty %s, huge %s\n",
                     amount(stats->cached_bytes).text,
                     amount(stats->idle_span_bytes).text,
                     amount(stats->dirty_bytes).text,
                     amount(stats->huge_cached_bytes).text);
    rfi_writer_print(out, "  mapped    %12s  in %zu segments\n",
                     amount(stats->mapped_bytes).text, stats->segments);
    rfi_writer_print(out, "  purged    %12s  in %zu purges since start\n",
                     amount(stats->purged_bytes).text, (size_t)stats->purges);
    rfi_writer_print(out, "  metadata  %12s  and %s for descriptors\n",
                     amount(stats->metadata_bytes).text,
                     amount(stats->directory_bytes).text);
    rfi_writer_print(out, "  heaps     %12zu  %zu idle; %zu lock waits\n",
                     stats->heaps, stats->heaps_idle,
                     (size_t)stats->lock_waits);
}

static void
print_class(rfi_writer_t *out, const rf_class_stats_t *class_stats)
{
    size_t live = class_stats->live_blocks * class_stats->block_bytes;

    if (class_stats->spans == 0) {
        return;
    }
    rfi_writer_print(out, "  %8zu %8zu %12s %10zu %10zu %5zu %%\n",
                     class_stats->block_bytes, class_stats->spans,
                     amount(class_stats->span_bytes).text,
                     class_stats->cut_blocks, class_stats->live_blocks,
                     live * 100 / class_stats->span_bytes);
}

void
rfi_stats_print_text(int fd, const rf_stats_t *stats, const char *mode,
                     const char *version)
{
    rfi_writer_t out;

    rfi_writer_start(&out, fd);
    rfi_writer_print(&out, "ringfence %s, mode %s\n", version, mode);
    print_program(&out, stats);
    print_memory(&out, stats);
    rfi_writer_print(&out, "     block    spans        bytes        cut"
                           "       live    live\n");
    for (size_t i = 0; i < stats->class_count; i++) {
        print_class(&out, &stats->classes[i]);
    }
    rfi_writer_finish(&out);
}
