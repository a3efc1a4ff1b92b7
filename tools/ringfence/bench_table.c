/* SPDX-License-Identifier: MIT
 *
 * The tables of a benchmark: time, memory, failed runs.
 */
#include <stdlib.h>

#include "bench.h"
#include "bench_summary.h"
#include "say.h"

typedef struct table {
    const bench_t *bench;
    bench_figure_t *figure;
    FILE *stream;
    const char *title;
    double unit; /* divides the figure */
    int decimals;
    bool bounds; /* show the lower bound of the ratio */
} table_t;

enum { NAME_WIDTH = 14, CELL_WIDTH = 10 };

/* One figure, with a mark for the best peer. */
static void
print_cell(const table_t *table, double value, bool marked)
{
    if (value <= 0) {
        fprintf(table->stream, " %*s", CELL_WIDTH, "failed ");
    } else {
        fprintf(table->stream, " %*.*f%c", CELL_WIDTH - 1, table->decimals,
                value / table->unit, marked ? '*' : ' ');
    }
}

static void
print_ratio(const table_t *table, double ratio)
{
    if (ratio <= 0) {
        fprintf(table->stream, " %7s", "-");
    } else {
        fprintf(table->stream, " %7.2f", ratio);
    }
}

static void
print_header(const table_t *table)
{
    const bench_t *bench = table->bench;
    fprintf(table->stream, "\n%s\n%-*s", table->title, NAME_WIDTH, "workload");
    for (size_t i = 0; i < bench->allocators.count; i++) {
        fprintf(table->stream, " %*.*s ", CELL_WIDTH - 1, CELL_WIDTH - 1,
                bench->allocators.items[i].name);
    }
    for (size_t i = 0; i < bench->allocators.count; i++) {
        if (bench->allocators.items[i].ours) {
            fprintf(table->stream, " |%7s %7s%s", "/glibc", "/best",
                    table->bounds ? "   low95" : "");
        }
    }
    fputc('\n', table->stream);
}

static double
ratio_of(const table_t *table, size_t job, size_t a, size_t b)
{
    if (b == BENCH_NONE) {
        return 0;
    }
    const double below = bench_median(table->bench, job, b, table->figure);
    const double above = bench_median(table->bench, job, a, table->figure);
    return below > 0 ? above / below : 0;
}

static void
print_comparison(const table_t *table, size_t job, size_t ours, size_t best)
{
    fputs(" |", table->stream);
    print_ratio(table, ratio_of(table, job, ours, bench_glibc(table->bench)));
    print_ratio(table, ratio_of(table, job, ours, best));
    if (table->bounds) {
        print_ratio(table, best == BENCH_NONE
                               ? 0
                               : bench_lower_bound(table->bench, job, ours,
                                                   best, table->figure));
    }
}

static void
print_job(const table_t *table, size_t job)
{
    const bench_t *bench = table->bench;
    const size_t best = bench_best_peer(bench, job, table->figure);

    fprintf(table->stream, "%-*s", NAME_WIDTH, bench->jobs.items[job].name);
    for (size_t i = 0; i < bench->allocators.count; i++) {
        print_cell(table, bench_median(bench, job, i, table->figure),
                   i == best);
    }
    for (size_t i = 0; i < bench->allocators.count; i++) {
        if (bench->allocators.items[i].ours) {
            print_comparison(table, job, i, best);
        }
    }
    fputc('\n', table->stream);
}

/* The last line: every allocator against the first. */
static void
print_geomeans(const table_t *table)
{
    const bench_t *bench = table->bench;
    const size_t best = bench_best_peer_overall(bench, table->figure);
    size_t jobs = 0;

    fprintf(table->stream, "%-*s", NAME_WIDTH, "geomean");
    for (size_t i = 0; i < bench->allocators.count; i++) {
        const double mean = bench_geomean(bench, i, 0, table->figure, &jobs);
        fprintf(table->stream, " %*.3f%c", CELL_WIDTH - 1, mean,
                i == best ? '*' : ' ');
    }
    fprintf(table->stream, "  (to %s, over %zu workloads)\n",
            bench->allocators.items[0].name, jobs);
    for (size_t i = 0; i < bench->allocators.count; i++) {
        if (bench->allocators.items[i].ours && best != BENCH_NONE) {
            fprintf(table->stream,
                    "%s: %.3f x %s, the best single peer over the whole "
                    "set\n",
                    bench->allocators.items[i].name,
                    bench_geomean(bench, i, best, table->figure, &jobs),
                    bench->allocators.items[best].name);
        }
    }
}

static void
print_table(const table_t *table)
{
    print_header(table);
    for (size_t job = 0; job < table->bench->jobs.count; job++) {
        print_job(table, job);
    }
    print_geomeans(table);
}

void
bench_print_tables(const bench_t *bench, FILE *stream)
{
    const table_t time = {
        .bench = bench,
        .figure = bench_seconds,
        .stream = stream,
        .title = "Time in seconds, median (* best peer; low95: lower 95 % "
                 "bound of the ratio to it)",
        .unit = 1,
        .decimals = 3,
        .bounds = true,
    };
    const table_t memory = {
        .bench = bench,
        .figure = bench_peak_kib,
        .stream = stream,
        .title = "Peak resident memory in MiB, median (* leanest peer)",
        .unit = 1024,
        .decimals = 1,
    };
    print_table(&time);
    print_table(&memory);
}

void
bench_print_failures(const bench_t *bench, FILE *stream)
{
    fputs("\nFailed runs, which are in no figure above:\n", stream);
    for (size_t job = 0; job < bench->jobs.count; job++) {
        for (size_t i = 0; i < bench->allocators.count; i++) {
            for (unsigned r = 0; r < bench->options->repetitions; r++) {
                const bench_result_t *result =
                    bench_result_at(bench, job, i, r);
                if (result->error != NULL) {
                    fprintf(stream, "  %s, %s, repetition %u: %s\n",
                            bench->jobs.items[job].name,
                            bench->allocators.items[i].name, r + 1,
                            result->error);
                }
            }
        }
    }
}
