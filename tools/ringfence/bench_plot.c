/* SPDX-License-Identifier: MIT
 *
 * The figure: two bar charts, time and memory relative to the first
 * allocator, drawn by gnuplot.
 */
#include <errno.h>
#include <string.h>

#include "bench.h"
#include "bench_summary.h"
#include "places.h"
#include "say.h"

static void
write_data(const bench_t *bench, const char *name, bench_figure_t *figure,
           FILE *plot)
{
    fprintf(plot, "$%s << EOD\nworkload", name);
    for (size_t i = 0; i < bench->allocators.count; i++) {
        fprintf(plot, " %s", bench->allocators.items[i].name);
    }
    for (size_t job = 0; job < bench->jobs.count; job++) {
        const double base = bench_median(bench, job, 0, figure);
        fprintf(plot, "\n%s", bench->jobs.items[job].name);
        for (size_t i = 0; i < bench->allocators.count; i++) {
            const double median = bench_median(bench, job, i, figure);
            if (median > 0 && base > 0) {
                fprintf(plot, " %.4f", median / base);
            } else {
                fputs(" nan", plot);
            }
        }
    }
    fputs("\nEOD\n", plot);
}

static void
write_chart(const bench_t *bench, const char *name, const char *title,
            FILE *plot)
{
    fprintf(plot,
            "set title '%s, relative to %s (log scale, lower is better)'\n"
            "plot for [i=2:%zu] $%s using i:xtic(1) title columnheader(i), "
            "1 with lines lc 'black' notitle\n",
            title, bench->allocators.items[0].name, bench->allocators.count + 1,
            name);
}

static void
write_plot(const bench_t *bench, const char *path, FILE *plot)
{
    const size_t bars = bench->jobs.count * (bench->allocators.count + 2);
    fprintf(plot,
            "set terminal svg size %zu,900 dynamic background 'white'\n"
            "set output '%s'\n"
            "set style data histogram\n"
            "set style histogram clustered gap 2\n"
            "set style fill solid 0.8 border -1\n"
            "set logscale y 2\nset yrange [0.0625:16]\nset grid ytics\n"
            "set xtics rotate by -35 noenhanced\n"
            "set key outside noenhanced\n"
            "set datafile missing 'nan'\n",
            500 + 8 * bars, path);
    write_data(bench, "time", bench_seconds, plot);
    write_data(bench, "memory", bench_peak_kib, plot);
    fputs("set multiplot layout 2,1\n", plot);
    write_chart(bench, "time", "Time", plot);
    write_chart(bench, "memory", "Peak resident memory", plot);
    fputs("unset multiplot\n", plot);
}

bool
bench_plot(const bench_t *bench, const char *path)
{
    char *gnuplot = places_program("gnuplot");
    if (gnuplot == NULL) {
        say_error("gnuplot is not installed: no plot");
        return false;
    }
    if (strpbrk(path, "'\n") != NULL) {
        say_error("'%s': gnuplot cannot write a file with this name", path);
        return false;
    }
    FILE *plot = popen("gnuplot", "we");
    if (plot == NULL) {
        say_error("gnuplot: %s", strerror(errno));
        return false;
    }
    write_plot(bench, path, plot);
    if (pclose(plot) != 0) {
        say_error("gnuplot failed");
        return false;
    }
    return true;
}
