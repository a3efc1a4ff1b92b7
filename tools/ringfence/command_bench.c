/* SPDX-License-Identifier: MIT
 *
 * ringfence bench: the order of things.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "commands.h"
#include "say.h"

enum { STATUS_FAILED = 1 };

static void
list(const bench_t *bench)
{
    puts("Workloads:");
    for (size_t i = 0; i < bench->jobs.count; i++) {
        printf("  %-14s %s\n", bench->jobs.items[i].name,
               bench->jobs.items[i].text);
    }
    puts("Allocators:");
    for (size_t i = 0; i < bench->allocators.count; i++) {
        const bench_allocator_t *allocator = &bench->allocators.items[i];
        printf("  %-14s %s\n", allocator->name,
               allocator->preload != NULL ? allocator->preload
                                          : "the C library's own");
    }
}

static int
print_results(const bench_t *bench, unsigned failures)
{
    const bench_options_t *options = bench->options;
    bool plotted = true;

    if (options->latency) {
        bench_print_latency(bench, stdout);
    } else {
        bench_print_tables(bench, stdout);
        if (!options->quick) {
            bench_print_kept(bench, stdout);
        }
    }
    if (failures != 0) {
        bench_print_failures(bench, stdout);
    }
    if (options->svg != NULL) {
        plotted = bench_plot(bench, options->svg);
    }
    return failures != 0 || !plotted ? STATUS_FAILED : 0;
}

static int
run(bench_t *bench)
{
    FILE *tsv = NULL;
    if (bench->options->tsv != NULL) {
        tsv = fopen(bench->options->tsv, "we");
        if (tsv == NULL) {
            say_error("'%s': %s", bench->options->tsv, strerror(errno));
            return STATUS_FAILED;
        }
        bench_tsv_header(tsv);
    }
    const unsigned failures = bench_measure(bench, tsv);
    if (tsv != NULL) {
        fclose(tsv);
    }
    return print_results(bench, failures);
}

static void
free_results(bench_t *bench)
{
    const size_t cells = bench->jobs.count * bench->allocators.count *
                         bench->options->repetitions;
    for (size_t i = 0; bench->results != NULL && i < cells; i++) {
        free(bench->results[i].error);
        free(bench->results[i].detail);
    }
    free(bench->results);
    bench_jobs_free(&bench->jobs);
    bench_allocators_free(&bench->allocators);
}

int
command_bench(int argc, char **argv)
{
    static char name[] = "ringfence bench";
    bench_options_t options = {0};
    bench_t bench = {.options = &options};

    argv[0] = name;
    int status = bench_options_read(argc, argv, &options);
    if (status >= 0) {
        bench_options_free(&options);
        return status;
    }
    status = STATUS_USAGE;
    if (bench_jobs_find(&options, &bench.jobs) &&
        bench_allocators_find(&options, &bench.allocators)) {
        status = 0;
        if (options.list) {
            list(&bench);
        } else {
            status = run(&bench);
        }
    }
    free_results(&bench);
    bench_options_free(&options);
    return status;
}
