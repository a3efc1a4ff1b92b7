/* SPDX-License-Identifier: MIT
 *
 * Powers of two: every function against its definition, around every power of
 * two and over a range of small numbers.
 */
#include "base/bits.h"

#include "support/test.h"

static unsigned
slow_log2(size_t n)
{
    unsigned result = 0;

    while (n > 1) {
        n /= 2;
        result++;
    }
    return result;
}

static unsigned
slow_bit_count(size_t n)
{
    unsigned count = 0;

    for (; n != 0; n /= 2) {
        count += n % 2 != 0;
    }
    return count;
}

static void
check_number(size_t n)
{
    assert_int_equal(rfi_is_power_of_two(n), slow_bit_count(n) == 1);
    if (n != 0) {
        assert_int_equal(rfi_log2_floor(n), slow_log2(n));
        assert_int_equal(n >> rfi_lowest_bit(n) & 1, 1);
        assert_int_equal(n & ((UINT64_C(1) << rfi_lowest_bit(n)) - 1), 0);
    }
}

static void
knows_powers_and_bits(void **state)
{
    (void)state;
    for (size_t n = 0; n < 5000; n++) {
        check_number(n);
    }
    for (unsigned bit = 0; bit < 64; bit++) {
        size_t power = (size_t)1 << bit;

        check_number(power - 1);
        check_number(power);
        check_number(power + 1);
    }
    check_number(SIZE_MAX);
    check_number(SIZE_MAX - 1);
}

static void
aligns(void **state)
{
    (void)state;
    for (size_t align = 1; align <= 256; align *= 2) {
        for (size_t n = 0; n < 2000; n++) {
            size_t down = rfi_align_down(n, align);
            size_t up = rfi_align_up(n, align);

            assert_int_equal(down % align, 0);
            assert_int_equal(up % align, 0);
            assert_true(down <= n && n - down < align);
            assert_true(up >= n && up - n < align);
        }
    }
    assert_int_equal(rfi_align_down(SIZE_MAX, 4096), SIZE_MAX - 4095);
    assert_int_equal(rfi_align_up(SIZE_MAX - 4095, 4096), SIZE_MAX - 4095);
}

static void
divides_up(void **state)
{
    (void)state;
    for (size_t divisor = 1; divisor < 70; divisor++) {
        for (size_t n = 0; n < 500; n++) {
            size_t quotient = rfi_divide_up(n, divisor);

            assert_true(quotient * divisor >= n);
            assert_true(quotient == 0 || (quotient - 1) * divisor < n);
        }
    }
    assert_int_equal(rfi_divide_up(SIZE_MAX, 1), SIZE_MAX);
    assert_int_equal(rfi_divide_up(SIZE_MAX, SIZE_MAX), 1);
    assert_int_equal(rfi_divide_up(SIZE_MAX, 2), SIZE_MAX / 2 + 1);
}

static void
picks_the_smaller_and_the_larger(void **state)
{
    (void)state;
    assert_int_equal(rfi_min(1, 2), 1);
    assert_int_equal(rfi_min(2, 1), 1);
    assert_int_equal(rfi_min(SIZE_MAX, 0), 0);
    assert_int_equal(rfi_max(1, 2), 2);
    assert_int_equal(rfi_max(2, 1), 2);
    assert_int_equal(rfi_max(SIZE_MAX, 0), SIZE_MAX);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(knows_powers_and_bits),
        cmocka_unit_test(aligns),
        cmocka_unit_test(divides_up),
        cmocka_unit_test(picks_the_smaller_and_the_larger),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
