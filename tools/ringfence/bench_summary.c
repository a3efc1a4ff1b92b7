/* SPDX-License-Identifier: MIT
 *
 * Medians and comparisons over the results of a benchmark.
 */
#include "bench_summary.h"

#include <stdlib.h>

#include "say.h"
#include "statistics.h"

double
bench_seconds(const bench_result_t *result)
{
    return result->seconds;
}

double
bench_peak_kib(const bench_result_t *result)
{
    return result->peak_kib;
}

static bool
is_good(const bench_result_t *result)
{
    return result->done && result->error == NULL;
}

double
bench_median(const bench_t *bench, size_t job, size_t allocator,
             bench_figure_t *figure)
{
    const unsigned repetitions = bench->options->repetitions;
    double *values = memory_check(calloc(repetitions, sizeof(*values)));
    size_t count = 0;

    for (unsigned i = 0; i < repetitions; i++) {
        const bench_result_t *result =
            bench_result_at(bench, job, allocator, i);
        if (is_good(result)) {
            values[count++] = figure(result);
        }
    }
    const double median = statistics_median(values, count);
    free(values);
    return median;
}

size_t
bench_best_peer(const bench_t *bench, size_t job, bench_figure_t *figure)
{
    size_t best = BENCH_NONE;
    double least = 0;

    for (size_t i = 0; i < bench->allocators.count; i++) {
        const double median = bench_median(bench, job, i, figure);
        if (!bench->allocators.items[i].ours && median > 0 &&
            (best == BENCH_NONE || median < least)) {
            best = i;
            least = median;
        }
    }
    return best;
}

double
bench_lower_bound(const bench_t *bench, size_t job, size_t a, size_t b,
                  bench_figure_t *figure)
{
    const unsigned repetitions = bench->options->repetitions;
    double *left = memory_check(calloc(repetitions, sizeof(*left)));
    double *right = memory_check(calloc(repetitions, sizeof(*right)));
    size_t count = 0;

    for (unsigned i = 0; i < repetitions; i++) {
        const bench_result_t *result = bench_result_at(bench, job, a, i);
        const bench_result_t *other = bench_result_at(bench, job, b, i);
        if (is_good(result) && is_good(other)) {
            left[count] = figure(result);
            right[count++] = figure(other);
        }
    }
    const double bound = statistics_lower_bound(left, right, count);
    free(right);
    free(left);
    return bound;
}

static bool
all_completed(const bench_t *bench, size_t job, bench_figure_t *figure)
{
    for (size_t i = 0; i < bench->allocators.count; i++) {
        if (bench_median(bench, job, i, figure) <= 0) {
            return false;
        }
    }
    return true;
}

double
bench_geomean(const bench_t *bench, size_t a, size_t b, bench_figure_t *figure,
              size_t *jobs)
{
    double *ratios = memory_check(calloc(bench->jobs.count, sizeof(*ratios)));
    *jobs = 0;

    for (size_t job = 0; job < bench->jobs.count; job++) {
        if (all_completed(bench, job, figure)) {
            ratios[(*jobs)++] = bench_median(bench, job, a, figure) /
                                bench_median(bench, job, b, figure);
        }
    }
    const double mean = statistics_geomean(ratios, *jobs);
    free(ratios);
    return mean;
}

size_t
bench_best_peer_overall(const bench_t *bench, bench_figure_t *figure)
{
    size_t best = BENCH_NONE;
    double least = 0;

    for (size_t i = 0; i < bench->allocators.count; i++) {
        size_t jobs;
        const double mean = bench_geomean(bench, i, 0, figure, &jobs);
        if (!bench->allocators.items[i].ours && jobs > 0 &&
            (best == BENCH_NONE || mean < least)) {
            best = i;
            least = mean;
        }
    }
    return best;
}

size_t
bench_glibc(const bench_t *bench)
{
    for (size_t i = 0; i < bench->allocators.count; i++) {
        if (bench->allocators.items[i].preload == NULL) {
            return i;
        }
    }
    return BENCH_NONE;
}
