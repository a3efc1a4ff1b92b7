/* SPDX-License-Identifier: MIT
 *
 * The table of --latency: how long single calls of the allocator took. The
 * programs measure it; here are only medians of what they print. A workload
 * whose calls happen in other programs has no rows.
 */
#include "bench.h"
#include "bench_summary.h"

static double
clock_cost(const bench_result_t *result)
{
    return bench_detail(result, "clock_ns", 0);
}

static double
mean(const bench_result_t *result)
{
    return bench_detail(result, "mean_ns", 0);
}

static double
p50(const bench_result_t *result)
{
    return bench_detail(result, "p50_ns", 0);
}

static double
p99(const bench_result_t *result)
{
    return bench_detail(result, "p99_ns", 0);
}

static double
p999(const bench_result_t *result)
{
    return bench_detail(result, "p999_ns", 0);
}

static double
longest(const bench_result_t *result)
{
    return bench_detail(result, "max_ns", 0);
}

static void
print_row(const bench_t *bench, size_t job, size_t allocator, FILE *stream)
{
    static bench_figure_t *const figures[] = {mean, p50, p99, p999, longest};

    fprintf(stream, "%-14s %-11s", bench->jobs.items[job].name,
            bench->allocators.items[allocator].name);
    for (size_t i = 0; i < sizeof(figures) / sizeof(figures[0]); i++) {
        fprintf(stream, " %11.*f", i == 0 ? 1 : 0,
                bench_median(bench, job, allocator, figures[i]));
    }
    fputc('\n', stream);
}

void
bench_print_latency(const bench_t *bench, FILE *stream)
{
    fprintf(stream,
            "\nNanoseconds per call of the allocator, medians of the runs; "
            "%.0f of them are the clock's\n"
            "%-14s %-11s %11s %11s %11s %11s %11s\n",
            bench_median(bench, 0, 0, clock_cost), "workload", "allocator",
            "mean", "p50", "p99", "p99.9", "max");
    for (size_t job = 0; job < bench->jobs.count; job++) {
        for (size_t i = 0; i < bench->allocators.count; i++) {
            if (bench_median(bench, job, i, mean) > 0) {
                print_row(bench, job, i, stream);
            }
        }
    }
}
