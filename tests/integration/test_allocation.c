/* SPDX-License-Identifier: MIT
 *
 * rf_malloc, rf_calloc and the frees: sizes from 0 to beyond what exists,
 * distinct and writable blocks, zeroed memory also when it is used again,
 * and errno.
 */
#include <errno.h>
#include <ringfence/alloc.h>
#include <string.h>

#include "support/test.h"

#define UNTOUCHED 1234

/* The compiler knows what these requests mean, and must not warn. */
static volatile size_t most = SIZE_MAX;

static void
zero_bytes_are_a_block(void **state)
{
    (void)state;
    void *first = rf_malloc(0);
    void *second = rf_malloc(0);

    assert_non_null(first);
    assert_non_null(second);
    assert_ptr_not_equal(first, second);
    rf_free(first);
    rf_free(second);
    void *third = rf_calloc(0, 100);
    void *fourth = rf_calloc(100, 0);

    assert_non_null(third);
    assert_non_null(fourth);
    rf_free(third);
    rf_free(fourth);
}

static void
blocks_do_not_overlap(void **state)
{
    enum { COUNT = 2000 };
    static unsigned char *blocks[COUNT];
    size_t size = 1;

    (void)state;
    for (int i = 0; i < COUNT; i++) {
        size = size * 5 / 4 + 1;
        if (size > 100000) {
            size = (size_t)i % 16 + 1;
        }
        blocks[i] = rf_malloc(size);
        assert_non_null(blocks[i]);
        size_t usable = rf_usable_size(blocks[i]);

        assert_true(usable >= size);
        memset(blocks[i], i % 251, usable);
    }
    for (int i = 0; i < COUNT; i++) {
        size_t usable = rf_usable_size(blocks[i]);

        for (size_t at = 0; at < usable; at++) {
            if (blocks[i][at] != i % 251) {
                fail_msg("block %d was overwritten at %zu", i, at);
            }
        }
        rf_free(blocks[i]);
    }
}

/* Fills freed memory and asks for it again. */
static void
expect_zeroed_again(size_t size)
{
    unsigned char *dirty[8];

    for (int i = 0; i < 8; i++) {
        dirty[i] = rf_malloc(size);
        assert_non_null(dirty[i]);
        memset(dirty[i], 0xff, rf_usable_size(dirty[i]));
    }
    for (int i = 0; i < 8; i++) {
        rf_free(dirty[i]);
    }
    for (int i = 0; i < 8; i++) {
        dirty[i] = rf_calloc(1, size);
        assert_non_null(dirty[i]);
        for (size_t at = 0; at < size; at++) {
            if (dirty[i][at] != 0) {
                fail_msg("%zu bytes: byte %zu is %u", size, at, dirty[i][at]);
            }
        }
    }
    for (int i = 0; i < 8; i++) {
        rf_free(dirty[i]);
    }
}

static void
calloc_zeroes_used_memory(void **state)
{
    (void)state;
    for (size_t size = 1; size <= (size_t)4 << 20; size = size * 3 / 2 + 1) {
        expect_zeroed_again(size);
    }
    expect_zeroed_again((size_t)20 << 20);
}

static void
impossible_sizes_fail_with_enomem(void **state)
{
    const size_t sizes[] = {SIZE_MAX, SIZE_MAX - 4096,
                            (size_t)PTRDIFF_MAX + 1, PTRDIFF_MAX};

    (void)state;
    for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
        volatile size_t size = sizes[i];

        errno = 0;
        assert_null(rf_malloc(size));
        assert_int_equal(errno, ENOMEM);
        errno = 0;
        assert_null(rf_calloc(1, size));
        assert_int_equal(errno, ENOMEM);
    }
    errno = 0;
    assert_null(rf_calloc(most / 2, 3));
    assert_int_equal(errno, ENOMEM);
    errno = 0;
    assert_null(rf_calloc(most / 2 + 1, 2));
    assert_int_equal(errno, ENOMEM);
}

static void
success_leaves_errno_alone(void **state)
{
    (void)state;
    for (size_t size = 1; size <= (size_t)64 << 20; size *= 8) {
        errno = UNTOUCHED;
        void *block = rf_malloc(size);
        void *zeroed = rf_calloc(1, size);

        assert_non_null(block);
        assert_non_null(zeroed);
        rf_free(block);
        rf_free_sized(zeroed, size);
        assert_int_equal(errno, UNTOUCHED);
    }
}

static void
null_is_no_block(void **state)
{
    (void)state;
    errno = UNTOUCHED;
    rf_free(NULL);
    rf_free_sized(NULL, 100);
    rf_free_aligned_sized(NULL, 64, 128);
    assert_int_equal(rf_usable_size(NULL), 0);
    assert_int_equal(errno, UNTOUCHED);
}

static void
sized_frees_free(void **state)
{
    (void)state;
    for (int i = 0; i < 100000; i++) {
        void *plain = rf_malloc(1000);
        void *aligned = rf_aligned_alloc(256, 1024);

        assert_non_null(plain);
        assert_non_null(aligned);
        rf_free_sized(plain, 1000);
        rf_free_aligned_sized(aligned, 256, 1024);
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(zero_bytes_are_a_block),
        cmocka_unit_test(blocks_do_not_overlap),
        cmocka_unit_test(calloc_zeroes_used_memory),
        cmocka_unit_test(impossible_sizes_fail_with_enomem),
        cmocka_unit_test(success_leaves_errno_alone),
        cmocka_unit_test(null_is_no_block),
        cmocka_unit_test(sized_frees_free),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
