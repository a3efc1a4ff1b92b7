/* SPDX-License-Identifier: MIT
 *
 * Median, geometric mean, bootstrap.
 */
#include "statistics.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "bench/random.h"
#include "say.h"

enum { RESAMPLES = 2000, LOWER_PERCENT = 5 };

static int
compare(const void *a, const void *b)
{
    const double left = *(const double *)a, right = *(const double *)b;
    return (left > right) - (left < right);
}

double
statistics_median(const double *values, size_t count)
{
    if (count == 0) {
        return 0;
    }
    double *sorted = memory_check(malloc(count * sizeof(*sorted)));
    memcpy(sorted, values, count * sizeof(*sorted));
    qsort(sorted, count, sizeof(*sorted), compare);
    const double upper = sorted[count / 2];
    const double lower = sorted[(count - 1) / 2];
    free(sorted);
    return (lower + upper) / 2;
}

double
statistics_geomean(const double *values, size_t count)
{
    double sum = 0;
    for (size_t i = 0; i < count; i++) {
        sum += log(values[i]);
    }
    return count == 0 ? 0 : exp(sum / (double)count);
}

double
statistics_lower_bound(const double *a, const double *b, size_t count)
{
    if (count == 0) {
        return 0;
    }
    double *sample = memory_check(malloc(count * sizeof(*sample)));
    double *medians = memory_check(malloc(RESAMPLES * sizeof(*medians)));
    uint64_t random = random_seed(0);

    for (unsigned i = 0; i < RESAMPLES; i++) {
        for (size_t j = 0; j < count; j++) {
            const uint32_t pair = random_below(&random, (uint32_t)count);
            sample[j] = a[pair] / b[pair];
        }
        medians[i] = statistics_median(sample, count);
    }
    qsort(medians, RESAMPLES, sizeof(*medians), compare);
    const double bound = medians[RESAMPLES * LOWER_PERCENT / 100];
    free(medians);
    free(sample);
    return bound;
}
