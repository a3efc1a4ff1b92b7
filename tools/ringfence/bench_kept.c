/* SPDX-License-Identifier: MIT
 *
 * The figures of the seeds' own tests: how much memory a live byte costs
 * where a part is never freed, and how often the leak test calls the kernel.
 * The calls are counted by strace in a run of their own, since tracing
 * changes the time.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench.h"
#include "bench_summary.h"
#include "child.h"
#include "environment.h"
#include "places.h"
#include "say.h"

static const char *const calls[] = {"futex",  "brk",     "mprotect", "mmap",
                                    "munmap", "madvise", "mremap"};

enum { CALLS = sizeof(calls) / sizeof(calls[0]), TRACE_SECONDS = 600 };

static double
kept_ratio(const bench_result_t *result)
{
    return bench_detail(result, "ratio", 0);
}

static double
live_mib(const bench_result_t *result)
{
    return bench_detail(result, "live_bytes", 0) / (1024 * 1024);
}

static void
print_ratios(const bench_t *bench, FILE *stream)
{
    bool titled = false;
    for (size_t job = 0; job < bench->jobs.count; job++) {
        const double live = bench_median(bench, job, 0, live_mib);
        if (live <= 0) {
            continue;
        }
        if (!titled) {
            fputs("\nResident memory gained per live byte\n", stream);
            titled = true;
        }
        fprintf(stream, "%-14s (%.1f MiB live)", bench->jobs.items[job].name,
                live);
        for (size_t i = 0; i < bench->allocators.count; i++) {
            fprintf(stream, "  %s %.3f", bench->allocators.items[i].name,
                    bench_median(bench, job, i, kept_ratio));
        }
        fputc('\n', stream);
    }
}

typedef struct trace {
    char *strace;
    char *workloads;
    const bench_allocator_t *allocator;
} trace_t;

/* strace sets the preload for the traced program only. */
static void
become_trace(void *argument)
{
    const trace_t *trace = argument;
    char *preload = text_format(
        "LD_PRELOAD=%s",
        trace->allocator->preload != NULL ? trace->allocator->preload : "");

    environment_clear();
    bench_choose_policies(trace->allocator);
    execl(trace->strace, "strace", "-f", "-c", "-E", preload, "-e",
          "trace=futex,brk,mprotect,mmap,munmap,madvise,mremap",
          trace->workloads, "random_leak", "--scale", "0.05", (char *)NULL);
}

/* The count in the line of strace's summary that ends with this call:
 * "% time  seconds  usecs/call  calls  [errors]  syscall". */
static long
count_of(const char *summary, const char *call)
{
    const size_t length = strlen(call);
    for (const char *line = summary; *line != '\0';) {
        const size_t width = strcspn(line, "\n");
        double share, seconds;
        long per_call, count;
        if (width > length + 1 && line[width - length - 1] == ' ' &&
            memcmp(line + width - length, call, length) == 0 &&
            sscanf(line, "%lf %lf %ld %ld", &share, &seconds, &per_call,
                   &count) == 4) {
            return count;
        }
        line += width + (line[width] == '\n');
    }
    return 0;
}

static void
print_counts(trace_t *trace, FILE *stream)
{
    child_result_t child = child_run(become_trace, trace, TRACE_SECONDS);
    fprintf(stream, "%-14s", trace->allocator->name);
    if (child.error != NULL) {
        fprintf(stream, " %s\n", child.error);
    } else {
        for (size_t i = 0; i < CALLS; i++) {
            fprintf(stream, " %9ld", count_of(child.messages, calls[i]));
        }
        fputc('\n', stream);
    }
    child_free(&child);
}

static void
print_calls(const bench_t *bench, FILE *stream)
{
    trace_t trace = {.strace = places_program("strace"),
                     .workloads = places_bench_file("ringfence-workloads")};

    if (trace.strace == NULL || trace.workloads == NULL) {
        fputs("\nstrace is not installed: system calls are not counted\n",
              stream);
    } else {
        fprintf(stream, "\nSystem calls of random_leak at scale 0.05\n%-14s",
                "allocator");
        for (size_t i = 0; i < CALLS; i++) {
            fprintf(stream, " %9s", calls[i]);
        }
        fputc('\n', stream);
        for (size_t i = 0; i < bench->allocators.count; i++) {
            trace.allocator = &bench->allocators.items[i];
            print_counts(&trace, stream);
        }
    }
    free(trace.strace);
    free(trace.workloads);
}

void
bench_print_kept(const bench_t *bench, FILE *stream)
{
    print_ratios(bench, stream);
    for (size_t job = 0; job < bench->jobs.count; job++) {
        if (strcmp(bench->jobs.items[job].name, "random_leak") == 0) {
            print_calls(bench, stream);
        }
    }
}
