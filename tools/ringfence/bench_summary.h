/* SPDX-License-Identifier: MIT
 *
 * What the results of a benchmark say: medians and comparisons, for time and
 * for memory alike.
 */
#ifndef RINGFENCE_TOOL_BENCH_SUMMARY_H
#define RINGFENCE_TOOL_BENCH_SUMMARY_H

#include "bench.h"

/* What is compared: one figure of a result. */
typedef double bench_figure_t(const bench_result_t *result);
double bench_seconds(const bench_result_t *result);
double bench_peak_kib(const bench_result_t *result);

/* No such allocator. */
#define BENCH_NONE ((size_t)-1)

/* Of the good runs; 0 when there are none. */
double bench_median(const bench_t *bench, size_t job, size_t allocator,
                    bench_figure_t *figure);

/* The allocator that is not ours with the least median on this job. */
size_t
bench_best_peer(const bench_t *bench, size_t job, bench_figure_t *figure);

/* See statistics_lower_bound; over the repetitions in which both worked. */
double bench_lower_bound(const bench_t *bench, size_t job, size_t a, size_t b,
                         bench_figure_t *figure);

/* Geometric mean of the ratios of two allocators, over the jobs on which all
 * allocators have a median; *jobs says how many those are. */
double bench_geomean(const bench_t *bench, size_t a, size_t b,
                     bench_figure_t *figure, size_t *jobs);

/* The allocator that is not ours with the least geometric mean. */
size_t bench_best_peer_overall(const bench_t *bench, bench_figure_t *figure);

/* The C library's row, or BENCH_NONE. */
size_t bench_glibc(const bench_t *bench);

#endif
