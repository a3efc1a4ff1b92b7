/* SPDX-License-Identifier: MIT
 *
 * The functions of ringfence/stats.h, and the statistics at the end of the
 * process.
 */
#include "ringfence/stats.h"

#include <errno.h>
#include <string.h>

#include "base/bits.h"
#include "core/config.h"
#include "inspect/stats.h"
#include "ringfence/version.h"

#define STDERR 2

int
rf_stats_read(rf_stats_t *stats)
{
    rf_stats_t all;

    if (stats->size < sizeof(stats->size)) {
        errno = EINVAL;
        return -1;
    }
    rfi_stats_collect(&all);
    all.size = rfi_min(stats->size, sizeof(all));
    memcpy(stats, &all, all.size);
    return 0;
}

int
rf_stats_print(int fd, rf_stats_format_t format)
{
    rf_stats_t stats;

    rfi_stats_collect(&stats);
    switch (format) {
    case RF_STATS_TEXT:
        rfi_stats_print_text(fd, &stats, rf_mode(), RF_VERSION);
        return 0;
    case RF_STATS_JSON:
        rfi_stats_print_json(fd, &stats, rf_mode(), RF_VERSION);
        return 0;
    case RF_STATS_PROMETHEUS:
        rfi_stats_print_prometheus(fd, &stats, rf_mode(), RF_VERSION);
        return 0;
    }
    errno = EINVAL;
    return -1;
}

/* Option print_stats. Not an atexit function: that would allocate. */
__attribute__((destructor)) static void
print_at_exit(void)
{
    if (rfi_config_get(print_stats)) {
        rf_stats_print(STDERR, RF_STATS_TEXT);
    }
}
