/* SPDX-License-Identifier: MIT
 *
 * The benchmark's statistics against values worked out by hand.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "statistics.h"

static void
median_of_odd_and_even_counts(void **state)
{
    const double values[] = {5, 1, 4, 2};
    (void)state;
    assert_float_equal(statistics_median(values, 3), 4, 1e-12);
    assert_float_equal(statistics_median(values, 4), 3, 1e-12);
    assert_float_equal(statistics_median(values, 0), 0, 1e-12);
    assert_float_equal(values[0], 5, 1e-12);
}

static void
geomean_of_reciprocals_is_one(void **state)
{
    const double values[] = {2, 0.5, 8, 0.125};
    (void)state;
    assert_float_equal(statistics_geomean(values, 4), 1, 1e-12);
    assert_float_equal(statistics_geomean(values, 1), 2, 1e-12);
    assert_float_equal(statistics_geomean(values, 0), 0, 1e-12);
}

static void
lower_bound_of_equal_ratios_is_the_ratio(void **state)
{
    const double a[] = {2, 4, 6, 8, 10}, b[] = {1, 2, 3, 4, 5};
    (void)state;
    assert_float_equal(statistics_lower_bound(a, b, 5), 2, 1e-12);
    assert_float_equal(statistics_lower_bound(a, b, 1), 2, 1e-12);
    assert_float_equal(statistics_lower_bound(a, b, 0), 0, 1e-12);
}

/* One slow pair of nine moves the bound of the median hardly at all, and
 * the bound lies at or below the median of the ratios. */
static void
lower_bound_stands_outliers(void **state)
{
    const double a[] = {10, 11, 10, 12, 90, 10, 11, 10, 11};
    const double b[] = {10, 10, 10, 10, 10, 10, 10, 10, 10};
    (void)state;
    const double bound = statistics_lower_bound(a, b, 9);
    assert_true(bound >= 1 && bound <= 1.1);
    assert_float_equal(statistics_lower_bound(a, b, 9), bound, 0);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(median_of_odd_and_even_counts),
        cmocka_unit_test(geomean_of_reciprocals_is_one),
        cmocka_unit_test(lower_bound_of_equal_ratios_is_the_ratio),
        cmocka_unit_test(lower_bound_stands_outliers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
