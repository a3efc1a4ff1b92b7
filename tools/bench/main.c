/* SPDX-License-Identifier: MIT
 *
 * ringfence-workloads NAME [--threads N] [--scale X]
 *
 * Runs one workload and prints one line of key=value results. Run by
 * `ringfence bench`, once per allocator and repetition.
 */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "latency.h"
#include "ticks.h"
#include "workload.h"

static const workload_t workloads[] = {
#define WORKLOAD(name, threads, text) {#name, threads, text, workload_##name},
#include "workloads.def"
#undef WORKLOAD
};

#define WORKLOADS (sizeof(workloads) / sizeof(workloads[0]))

uint64_t
workload_scaled(const workload_args_t *args, uint64_t count)
{
    const double scaled = (double)count * args->scale;
    return scaled < 1 ? 1 : (uint64_t)scaled;
}

void *
workload_check(void *block)
{
    if (block == NULL) {
        fputs("ringfence-workloads: out of memory\n", stderr);
        exit(1);
    }
    return block;
}

static int
usage(FILE *stream)
{
    fputs("usage: ringfence-workloads NAME [--threads N] [--scale X]\n\n",
          stream);
    for (size_t i = 0; i < WORKLOADS; i++) {
        fprintf(stream, "  %-14s %2u threads: %s\n", workloads[i].name,
                workloads[i].threads, workloads[i].text);
    }
    return stream == stdout ? 0 : 2;
}

static const workload_t *
find_workload(const char *name)
{
    for (size_t i = 0; i < WORKLOADS; i++) {
        if (strcmp(workloads[i].name, name) == 0) {
            return &workloads[i];
        }
    }
    return NULL;
}

/* Resident bytes now, by a kernel file that needs no allocation to read. */
static uint64_t
resident_bytes(void)
{
    unsigned long long size = 0, resident = 0;
    char line[128] = "";
    FILE *file = fopen("/proc/self/statm", "r");

    if (file != NULL) {
        setvbuf(file, NULL, _IONBF, 0);
        if (fgets(line, sizeof(line), file) != NULL) {
            sscanf(line, "%llu %llu", &size, &resident);
        }
        fclose(file);
    }
    return resident * (uint64_t)sysconf(_SC_PAGESIZE);
}

static void
run_and_print(const workload_t *workload, const workload_args_t *args)
{
    workload_result_t result = {0, 0};
    struct rusage usage_now;
    const uint64_t before_bytes = resident_bytes();
    const uint64_t begin = clock_ns();

    workload->run(args, &result);

    const double seconds = (double)(clock_ns() - begin) / 1e9;
    const uint64_t after_bytes = resident_bytes();
    getrusage(RUSAGE_SELF, &usage_now);
    printf("workload=%s threads=%u ops=%llu seconds=%.6f peak_kib=%ld",
           workload->name, args->threads, (unsigned long long)result.operations,
           seconds, usage_now.ru_maxrss);
    if (result.live_bytes != 0) {
        const uint64_t gained = after_bytes - before_bytes;
        printf(" live_bytes=%llu rss_bytes=%llu ratio=%.3f",
               (unsigned long long)result.live_bytes,
               (unsigned long long)gained,
               (double)gained / (double)result.live_bytes);
    }
    latency_print();
    putchar('\n');
}

int
main(int argc, char **argv)
{
    static const struct option options[] = {
        {"threads", required_argument, NULL, 't'},
        {"scale", required_argument, NULL, 's'},
        {"help", no_argument, NULL, 'h'},
        {NULL, 0, NULL, 0},
    };
    long threads = 0;
    workload_args_t args = {0, 1.0};
    int option;

    while ((option = getopt_long(argc, argv, "t:s:h", options, NULL)) != -1) {
        switch (option) {
        case 't':
            threads = strtol(optarg, NULL, 10);
            break;
        case 's':
            args.scale = strtod(optarg, NULL);
            break;
        case 'h':
            return usage(stdout);
        default:
            return usage(stderr);
        }
    }
    const workload_t *workload =
        optind == argc - 1 ? find_workload(argv[optind]) : NULL;
    if (workload == NULL || args.scale <= 0 || threads < 0 || threads > 1024) {
        return usage(stderr);
    }
    args.threads = threads != 0 ? (unsigned)threads : workload->threads;
    run_and_print(workload, &args);
    return 0;
}
