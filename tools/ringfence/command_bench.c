/* SPDX-License-Identifier: MIT
 *
 * ringfence bench: arguments, and the order of things.
 */
#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "commands.h"
#include "environment.h"
#include "say.h"

enum { STATUS_FAILED = 1 };

enum long_only {
    OPTION_WITH = 256,
    OPTION_ONLY,
    OPTION_ALLOCATORS,
    OPTION_SCALE,
    OPTION_TSV,
    OPTION_SVG,
    OPTION_LATENCY,
    OPTION_MODES,
    OPTION_QUICK,
    OPTION_LIST,
    OPTION_LIBRARY
};

static const struct option long_options[] = {
    {"with", required_argument, NULL, OPTION_WITH},
    {"only", required_argument, NULL, OPTION_ONLY},
    {"allocators", required_argument, NULL, OPTION_ALLOCATORS},
    {"repetitions", required_argument, NULL, 'n'},
    {"scale", required_argument, NULL, OPTION_SCALE},
    {"tsv", required_argument, NULL, OPTION_TSV},
    {"svg", required_argument, NULL, OPTION_SVG},
    {"latency", no_argument, NULL, OPTION_LATENCY},
    {"modes", no_argument, NULL, OPTION_MODES},
    {"quick", no_argument, NULL, OPTION_QUICK},
    {"list", no_argument, NULL, OPTION_LIST},
    {"library", required_argument, NULL, OPTION_LIBRARY},
    {"help", no_argument, NULL, 'h'},
    {NULL, 0, NULL, 0},
};

static void
print_help(void)
{
    fputs("usage: ringfence bench [OPTION]...\n\n"
          "Runs programs under ringfence, the C library's allocator and every\n"
          "other allocator it finds, and compares time and memory.\n\n"
          "      --with=NAME=PATH     also measure the allocator in PATH\n"
          "      --only=NAME,...      only these workloads; also: workloads,\n"
          "                           containers, applications\n"
          "      --allocators=NAME,...  only these, as --list names them\n"
          "  -n, --repetitions=N      runs of each (5)\n"
          "      --scale=X            multiply the work by X (1)\n"
          "      --tsv=FILE           write every single run\n"
          "      --svg=FILE           draw the ratios (needs gnuplot)\n"
          "      --latency            time per call instead of totals\n"
          "      --modes              a column for each mode of ringfence\n"
          "      --quick              a short table against the C library\n"
          "      --list               list workloads and allocators, run none\n"
          "      --library=PATH       the ringfence library to measure\n"
          "  -h, --help               print this\n\n"
          "Exit status: 0, 1 when a run failed, 2 for wrong arguments.\n",
          stdout);
}

static bool
read_number(const char *text, double least, double most, double *number)
{
    char *end;
    *number = strtod(text, &end);
    if (end == text || *end != '\0' || !(*number >= least) || *number > most) {
        say_error("'%s' is not a number from %g to %g", text, least, most);
        return false;
    }
    return true;
}

static void
add_with(bench_options_t *options, const char *with)
{
    const size_t bytes = (options->with_count + 1) * sizeof(*options->with);
    options->with = memory_check(realloc(options->with, bytes));
    options->with[options->with_count++] = with;
}

/* False for a wrong argument, after a message. */
static bool
apply(int option, bench_options_t *options)
{
    double number;
    switch (option) {
    case OPTION_WITH:
        add_with(options, optarg);
        return true;
    case OPTION_ONLY:
        options->only = optarg;
        return true;
    case OPTION_ALLOCATORS:
        options->allocators = optarg;
        return true;
    case OPTION_LIBRARY:
        options->library = optarg;
        return true;
    case 'n':
        if (!read_number(optarg, 1, 1000, &number)) {
            return false;
        }
        options->repetitions = (unsigned)number;
        return true;
    case OPTION_SCALE:
        return read_number(optarg, 1e-6, 1000, &options->scale);
    case OPTION_TSV:
        options->tsv = optarg;
        return true;
    case OPTION_SVG:
        options->svg = optarg;
        return true;
    case OPTION_LATENCY:
        return options->latency = true;
    case OPTION_MODES:
        return options->modes = true;
    case OPTION_QUICK:
        return options->quick = true;
    case OPTION_LIST:
        return options->list = true;
    default:
        fputs("`ringfence bench --help` tells more.\n", stderr);
        return false;
    }
}

static void
set_defaults(bench_options_t *options)
{
    if (options->repetitions == 0) {
        options->repetitions = options->quick ? 3 : 5;
    }
    if (options->scale == 0) {
        options->scale = options->quick ? 0.3 : 1;
    }
}

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
    int option;

    argv[0] = name;
    while ((option = getopt_long(argc, argv, "n:h", long_options, NULL)) !=
           -1) {
        if (option == 'h') {
            print_help();
            return 0;
        }
        if (!apply(option, &options)) {
            return STATUS_USAGE;
        }
    }
    if (optind != argc) {
        say_error("unexpected argument '%s'", argv[optind]);
        return STATUS_USAGE;
    }
    set_defaults(&options);
    int status = STATUS_USAGE;
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
    free(options.with);
    return status;
}
