/* SPDX-License-Identifier: MIT
 *
 * Overflow is seen exactly where it happens, not one earlier or later.
 */
#include "base/checked.h"

#include "support/test.h"

static const size_t edges[] = {
    0,
    1,
    2,
    3,
    4095,
    4096,
    UINT32_MAX - 1,
    UINT32_MAX,
    (size_t)UINT32_MAX + 1,
    (size_t)UINT32_MAX + 2,
    SIZE_MAX / 2 - 1,
    SIZE_MAX / 2,
    SIZE_MAX / 2 + 1,
    SIZE_MAX - 4096,
    SIZE_MAX - 1,
    SIZE_MAX,
};

#define EDGES (sizeof(edges) / sizeof(edges[0]))

static void
check_pair(size_t a, size_t b)
{
    unsigned __int128 sum = (unsigned __int128)a + b;
    unsigned __int128 product = (unsigned __int128)a * b;
    size_t result = 0;

    assert_int_equal(rfi_checked_add(a, b, &result), sum <= SIZE_MAX);
    if (sum <= SIZE_MAX) {
        assert_int_equal(result, (size_t)sum);
    }
    assert_int_equal(rfi_checked_multiply(a, b, &result), product <= SIZE_MAX);
    if (product <= SIZE_MAX) {
        assert_int_equal(result, (size_t)product);
    }
}

static void
agrees_with_wide_arithmetic(void **state)
{
    (void)state;
    for (size_t i = 0; i < EDGES; i++) {
        for (size_t j = 0; j < EDGES; j++) {
            check_pair(edges[i], edges[j]);
        }
        if (edges[i] != 0) {
            check_pair(edges[i], SIZE_MAX / edges[i]);
            check_pair(edges[i], SIZE_MAX / edges[i] + 1);
        }
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(agrees_with_wide_arithmetic),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
