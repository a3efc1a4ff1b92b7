/* SPDX-License-Identifier: MIT
 *
 * The arguments of `ringfence bench`.
 */
#include <getopt.h>
#include <stdlib.h>

#include "bench.h"
#include "options.h"
#include "say.h"

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
    {"option", required_argument, NULL, 'o'},
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
    fputs(
        "usage: ringfence bench [OPTION]...\n\n"
        "Runs programs under ringfence, the C library's allocator and every\n"
        "other allocator it finds, and compares time and memory.\n\n"
        "      --with=NAME=PATH     also measure the allocator in PATH\n"
        "      --only=NAME,...      only these workloads; also: workloads,\n"
        "                           containers, applications\n"
        "      --allocators=NAME,...  only these, as --list names them\n"
        "  -n, --repetitions=N      runs of each (5)\n"
        "  -o, --option=KEY=VALUE   an option for ringfence; may be repeated\n"
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
add_word(const char ***words, size_t *count, const char *word)
{
    const size_t bytes = (*count + 1) * sizeof(**words);
    *words = memory_check(realloc(*words, bytes));
    (*words)[(*count)++] = word;
}

/* False for a wrong argument, after a message. */
static bool
apply(int option, bench_options_t *options)
{
    double number;
    switch (option) {
    case OPTION_WITH:
        add_word(&options->with, &options->with_count, optarg);
        return true;
    case 'o':
        if (!option_check(optarg)) {
            return false;
        }
        add_word(&options->settings, &options->setting_count, optarg);
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

int
bench_options_read(int argc, char **argv, bench_options_t *options)
{
    int option;
    while ((option = getopt_long(argc, argv, "n:o:h", long_options, NULL)) !=
           -1) {
        if (option == 'h') {
            print_help();
            return 0;
        }
        if (!apply(option, options)) {
            return STATUS_USAGE;
        }
    }
    if (optind != argc) {
        say_error("unexpected argument '%s'", argv[optind]);
        return STATUS_USAGE;
    }
    set_defaults(options);
    return -1;
}

void
bench_options_free(bench_options_t *options)
{
    free(options->with);
    free(options->settings);
}
