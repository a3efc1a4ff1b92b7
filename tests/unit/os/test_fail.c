/* SPDX-License-Identifier: MIT
 *
 * The failure counter fails exactly the calls it was armed for.
 */
#include "os/fail.h"

#include "support/test.h"

/* The next 8 calls as bits, the first one lowest. */
static unsigned
next_failures(void)
{
    unsigned bits = 0;

    for (unsigned i = 0; i < 8; i++) {
        bits |= (unsigned)rfi_fail_now() << i;
    }
    return bits;
}

static void
is_off_at_start_and_counts_nothing(void **state)
{
    (void)state;
    assert_int_equal(next_failures(), 0);
    assert_int_equal(rfi_fail_calls(), 0);
}

static void
fails_one_call(void **state)
{
    (void)state;
    rfi_fail_arm(1, 1);
    assert_int_equal(next_failures(), 0x01);
    rfi_fail_arm(3, 1);
    assert_int_equal(next_failures(), 0x04);
    assert_int_equal(rfi_fail_calls(), 8);
}

static void
fails_a_run_of_calls(void **state)
{
    (void)state;
    rfi_fail_arm(2, 3);
    assert_int_equal(next_failures(), 0x0e);
    rfi_fail_arm(6, 100);
    assert_int_equal(next_failures(), 0xe0);
    assert_int_equal(next_failures(), 0xff);
}

static void
fails_for_ever(void **state)
{
    (void)state;
    rfi_fail_arm(1, UINT64_MAX);
    assert_int_equal(next_failures(), 0xff);
}

static void
counts_without_failing(void **state)
{
    (void)state;
    rfi_fail_arm(UINT64_MAX, 1);
    assert_int_equal(next_failures(), 0);
    assert_int_equal(rfi_fail_calls(), 8);
}

static void
is_switched_off_by_count_zero(void **state)
{
    (void)state;
    rfi_fail_arm(1, 100);
    rfi_fail_arm(1, 0);
    assert_int_equal(next_failures(), 0);
    assert_int_equal(rfi_fail_calls(), 0);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(is_off_at_start_and_counts_nothing),
        cmocka_unit_test(fails_one_call),
        cmocka_unit_test(fails_a_run_of_calls),
        cmocka_unit_test(fails_for_ever),
        cmocka_unit_test(counts_without_failing),
        cmocka_unit_test(is_switched_off_by_count_zero),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
