/* SPDX-License-Identifier: MIT
 *
 * Runs everything, interleaved: within a repetition each allocator has its
 * turn on one job before the next job begins, so that whatever else the
 * machine does meets all of them; and the order rotates, so that none is
 * always first.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench.h"
#include "child.h"
#include "say.h"

typedef struct progress {
    double started;
    size_t done, total;
    bool terminal;
} progress_t;

bench_result_t *
bench_result_at(const bench_t *bench, size_t job, size_t allocator,
                unsigned repetition)
{
    const size_t cell = job * bench->allocators.count + allocator;
    return &bench->results[cell * bench->options->repetitions + repetition];
}

/* On a terminal one line that is written over, else one per repetition. */
static void
show_progress(const progress_t *progress, const char *job,
              const char *allocator)
{
    const double passed = child_clock() - progress->started;
    const size_t left = progress->total - progress->done;
    const double rest = progress->done == 0
                            ? 0
                            : passed / (double)progress->done * (double)left;

    if (progress->terminal) {
        fprintf(stderr, "\r\033[K[%zu/%zu] %s: %s, %.0f s left",
                progress->done + 1, progress->total, job, allocator, rest);
    }
}

static void
end_repetition(const progress_t *progress, unsigned repetition,
               unsigned repetitions)
{
    if (progress->terminal) {
        fputs("\r\033[K", stderr);
        return;
    }
    say_note("repetition %u of %u: %.0f s", repetition + 1, repetitions,
             child_clock() - progress->started);
}

/* Programs print results that do not depend on the allocator; ours print
 * times too, so only applications are compared, with the first good run. */
static void
compare_output(const bench_t *bench, size_t job, bench_result_t *result)
{
    if (bench->jobs.items[job].kind != BENCH_APPLICATION ||
        result->error != NULL) {
        return;
    }
    const size_t cells = bench->allocators.count * bench->options->repetitions;
    const bench_result_t *first = bench_result_at(bench, job, 0, 0);
    for (size_t i = 0; i < cells; i++) {
        const bench_result_t *other = &first[i];
        if (other != result && other->done && other->error == NULL) {
            if (strcmp(other->detail, result->detail) != 0) {
                result->error = text_format("wrong result: '%s', not '%s'",
                                            result->detail, other->detail);
            }
            return;
        }
    }
}

static unsigned
measure_job(bench_t *bench, size_t job, unsigned repetition,
            progress_t *progress, FILE *tsv)
{
    const size_t count = bench->allocators.count;
    unsigned failures = 0;

    for (size_t turn = 0; turn < count; turn++) {
        const size_t at = (turn + repetition + job) % count;
        const bench_allocator_t *allocator = &bench->allocators.items[at];
        bench_result_t *result = bench_result_at(bench, job, at, repetition);

        show_progress(progress, bench->jobs.items[job].name, allocator->name);
        *result = bench_run(&bench->jobs.items[job], allocator);
        compare_output(bench, job, result);
        failures += result->error != NULL;
        progress->done++;
        if (tsv != NULL) {
            bench_tsv_row(tsv, bench, job, at, repetition);
        }
    }
    return failures;
}

unsigned
bench_measure(bench_t *bench, FILE *tsv)
{
    const unsigned repetitions = bench->options->repetitions;
    const size_t cells =
        bench->jobs.count * bench->allocators.count * repetitions;
    progress_t progress = {child_clock(), 0, cells, isatty(STDERR_FILENO) == 1};
    unsigned failures = 0;

    bench->results = memory_check(calloc(cells, sizeof(*bench->results)));
    for (unsigned i = 0; i < repetitions; i++) {
        for (size_t job = 0; job < bench->jobs.count; job++) {
            failures += measure_job(bench, job, i, &progress, tsv);
        }
        end_repetition(&progress, i, repetitions);
    }
    return failures;
}
