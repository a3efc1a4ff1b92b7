/* SPDX-License-Identifier: MIT
 *
 * The few statistics that a comparison of run times needs.
 */
#ifndef RINGFENCE_TOOL_STATISTICS_H
#define RINGFENCE_TOOL_STATISTICS_H

#include <stddef.h>

/* 0 for no values. The values are left as they are. */
double statistics_median(const double *values, size_t count);

double statistics_geomean(const double *values, size_t count);

/* The value below which the ratio a/b lies with a probability of 5 %: the
 * bound that a claim "a is slower than b" has to stand on. Pairs (a[i],
 * b[i]) were measured one after the other. Bootstrap over the pairs, of the
 * median of the ratios, with a fixed seed, so that the same figures give
 * the same bound. */
double statistics_lower_bound(const double *a, const double *b, size_t count);

#endif
