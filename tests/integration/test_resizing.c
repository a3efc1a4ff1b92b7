/* SPDX-License-Identifier: MIT
 *
 * rf_realloc, rf_reallocarray and rf_usable_size: the special arguments of
 * glibc, contents over growing and shrinking, failures that change nothing.
 */
#include <errno.h>
#include <ringfence/alloc.h>
#include <string.h>

#include "support/test.h"

#define UNTOUCHED 1234

static unsigned char
pattern(size_t at)
{
    return (unsigned char)(at * 7 + at / 251);
}

static void
fill(unsigned char *block, size_t from, size_t to)
{
    for (size_t at = from; at < to; at++) {
        block[at] = pattern(at);
    }
}

static void
expect_filled(const unsigned char *block, size_t count)
{
    for (size_t at = 0; at < count; at++) {
        if (block[at] != pattern(at)) {
            fail_msg("byte %zu of %zu has changed", at, count);
        }
    }
}

static void
null_and_zero_are_special(void **state)
{
    (void)state;
    void *block = rf_realloc(NULL, 100);

    assert_non_null(block);
    errno = UNTOUCHED;
    assert_null(rf_realloc(block, 0));
    assert_int_equal(errno, UNTOUCHED);
    block = rf_realloc(NULL, 0);
    assert_non_null(block);
    rf_free(block);
    block = rf_reallocarray(NULL, 10, 10);
    assert_non_null(block);
    assert_null(rf_reallocarray(block, 10, 0));
}

static void
growing_keeps_contents(void **state)
{
    size_t size = 1;
    unsigned char *block = rf_malloc(size);

    (void)state;
    assert_non_null(block);
    fill(block, 0, size);
    while (size < (size_t)40 << 20) {
        size_t larger = size * 4 / 3 + 5;

        block = rf_realloc(block, larger);
        assert_non_null(block);
        assert_true(rf_usable_size(block) >= larger);
        fill(block, size, larger);
        size = larger;
        expect_filled(block, size < 100000 ? size : 100000);
    }
    expect_filled(block, size);
    rf_free(block);
}

static void
shrinking_keeps_contents(void **state)
{
    size_t size = (size_t)40 << 20;
    unsigned char *block = rf_malloc(size);

    (void)state;
    assert_non_null(block);
    fill(block, 0, size);
    while (size > 1) {
        size = size * 2 / 3;
        block = rf_realloc(block, size);
        assert_non_null(block);
        expect_filled(block, size);
    }
    rf_free(block);
}

/* Sizes on both sides of each boundary: classes, large, huge. */
static void
any_size_to_any_size_keeps_contents(void **state)
{
    const size_t sizes[] = {1,     16,     17,     1024,     1025,
                            8192,  8193,   65536,  65537,    200000,
                            1 << 20, (16 << 20) - 1, 16 << 20, 20 << 20};
    const size_t count = sizeof(sizes) / sizeof(sizes[0]);

    (void)state;
    for (size_t from = 0; from < count; from++) {
        for (size_t to = 0; to < count; to++) {
            unsigned char *block = rf_malloc(sizes[from]);
            size_t kept = sizes[from] < sizes[to] ? sizes[from] : sizes[to];

            assert_non_null(block);
            kept = kept < 70000 ? kept : 70000;
            fill(block, 0, kept);
            block = rf_realloc(block, sizes[to]);
            assert_non_null(block);
            expect_filled(block, kept);
            block[sizes[to] - 1] = 1;
            rf_free(block);
        }
    }
}

static void
failure_changes_nothing(void **state)
{
    const size_t sizes[] = {10, 1000, 50000, 1 << 20, 20 << 20};

    (void)state;
    for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
        unsigned char *block = rf_malloc(sizes[i]);
        volatile size_t most = SIZE_MAX;

        assert_non_null(block);
        fill(block, 0, sizes[i]);
        errno = 0;
        assert_null(rf_realloc(block, most));
        assert_int_equal(errno, ENOMEM);
        errno = 0;
        assert_null(rf_realloc(block, PTRDIFF_MAX));
        assert_int_equal(errno, ENOMEM);
        errno = 0;
        assert_null(rf_reallocarray(block, most / 2, 4));
        assert_int_equal(errno, ENOMEM);
        expect_filled(block, sizes[i]);
        rf_free(block);
    }
}

/* The whole usable size is the user's: it is constant, writable, and kept. */
static void
usable_size_is_usable(void **state)
{
    (void)state;
    for (size_t size = 1; size < 70000; size += size / 16 + 1) {
        unsigned char *block = rf_malloc(size);

        assert_non_null(block);
        size_t usable = rf_usable_size(block);

        assert_true(usable >= size);
        fill(block, 0, usable);
        assert_int_equal(rf_usable_size(block), usable);
        block = rf_realloc(block, 2 * usable);
        assert_non_null(block);
        expect_filled(block, usable);
        rf_free(block);
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(null_and_zero_are_special),
        cmocka_unit_test(growing_keeps_contents),
        cmocka_unit_test(shrinking_keeps_contents),
        cmocka_unit_test(any_size_to_any_size_keeps_contents),
        cmocka_unit_test(failure_changes_nothing),
        cmocka_unit_test(usable_size_is_usable),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
