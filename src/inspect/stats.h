/* SPDX-License-Identifier: MIT
 *
 * Statistics: collected by a walk over the heaps and the directory, printed
 * in three formats. Nothing here allocates, takes a lock that is held for
 * long, or touches errno; nothing is counted on the fast path.
 */
#ifndef RINGFENCE_INSPECT_STATS_H
#define RINGFENCE_INSPECT_STATS_H

#include "ringfence/stats.h"

/* Fills all of *stats, `size` included. Other threads go on meanwhile, so
 * that the figures are near the truth; each is within its bounds. */
void rfi_stats_collect(rf_stats_t *stats);

/* Writes figures to a file descriptor. `mode` and `version` are for the
 * heading. */
void rfi_stats_print_text(int fd, const rf_stats_t *stats, const char *mode,
                          const char *version);
void rfi_stats_print_json(int fd, const rf_stats_t *stats, const char *mode,
                          const char *version);
void rfi_stats_print_prometheus(int fd, const rf_stats_t *stats,
                                const char *mode, const char *version);

#endif
