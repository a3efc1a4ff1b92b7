/* SPDX-License-Identifier: MIT
 *
 * The raw results as tab-separated values, one line per run, written as the
 * runs end.
 */
#include "bench.h"

void
bench_tsv_header(FILE *tsv)
{
    fputs("repetition\tworkload\tallocator\tseconds\tpeak_kib\terror\t"
          "detail\n",
          tsv);
}

void
bench_tsv_row(FILE *tsv, const bench_t *bench, size_t job, size_t allocator,
              unsigned repetition)
{
    const bench_result_t *result =
        bench_result_at(bench, job, allocator, repetition);

    fprintf(tsv, "%u\t%s\t%s\t%.6f\t%.0f\t%s\t%s\n", repetition + 1,
            bench->jobs.items[job].name,
            bench->allocators.items[allocator].name, result->seconds,
            result->peak_kib, result->error != NULL ? result->error : "",
            result->detail != NULL ? result->detail : "");
    fflush(tsv);
}
