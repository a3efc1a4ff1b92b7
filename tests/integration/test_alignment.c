/* SPDX-License-Identifier: MIT
 *
 * Alignment: 16 bytes for everything, and what rf_aligned_alloc,
 * rf_memalign and rf_posix_memalign promise, with their errors.
 */
#include <errno.h>
#include <ringfence/alloc.h>
#include <string.h>

#include "support/test.h"

#define UNTOUCHED 1234

static void
expect_aligned(const void *block, size_t align)
{
    if (block == NULL || (uintptr_t)block % align != 0) {
        fail_msg("%p is not aligned to %zu", block, align);
    }
}

static void
every_block_is_aligned_to_16(void **state)
{
    (void)state;
    for (size_t size = 0; size <= 5000; size++) {
        void *block = rf_malloc(size);
        void *zeroed = rf_calloc(1, size);

        expect_aligned(block, 16);
        expect_aligned(zeroed, 16);
        rf_free(block);
        rf_free(zeroed);
    }
}

/* First and last byte are written; more would cost memory for nothing. */
static void
try_alignment(size_t align, size_t size)
{
    char *block = rf_aligned_alloc(align, size);

    expect_aligned(block, align);
    assert_true(rf_usable_size(block) >= size);
    if (size != 0) {
        block[0] = 'a';
        block[size - 1] = 'z';
        block = rf_realloc(block, size + 1);
        assert_non_null(block);
        assert_int_equal(block[size - 1], 'z');
        assert_int_equal(block[0], size == 1 ? 'z' : 'a');
    }
    rf_free(block);
}

static void
sweeps_alignments_up_to_a_gib(void **state)
{
    (void)state;
    for (size_t align = 1; align <= (size_t)1 << 30; align *= 2) {
        const size_t sizes[] = {0, 1, align - 1, align, align + 1};

        for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
            try_alignment(align, sizes[i]);
        }
    }
}

static void
many_aligned_blocks_live_together(void **state)
{
    enum { COUNT = 64 };
    char *blocks[COUNT];

    (void)state;
    for (size_t align = 32; align <= 65536; align *= 2) {
        for (int i = 0; i < COUNT; i++) {
            blocks[i] = rf_memalign(align, 100);
            expect_aligned(blocks[i], align);
            memset(blocks[i], i, 100);
        }
        for (int i = 0; i < COUNT; i++) {
            assert_int_equal(blocks[i][0], i);
            assert_int_equal(blocks[i][99], i);
            rf_free(blocks[i]);
        }
    }
}

static void
aligned_alloc_wants_a_power_of_two(void **state)
{
    (void)state;
    for (size_t align = 0; align <= 100; align++) {
        volatile size_t asked = align;
        bool valid = align != 0 && (align & (align - 1)) == 0;

        errno = UNTOUCHED;
        void *block = rf_aligned_alloc(asked, 48);

        assert_int_equal(block != NULL, valid);
        assert_int_equal(errno, valid ? UNTOUCHED : EINVAL);
        rf_free(block);
    }
    void *odd_size = rf_aligned_alloc(64, 100);

    expect_aligned(odd_size, 64);
    rf_free(odd_size);
}

static void
memalign_rounds_up(void **state)
{
    (void)state;
    for (size_t align = 0; align <= 5000; align++) {
        void *block = rf_memalign(align, 10);
        size_t rounded = 1;

        while (rounded < align) {
            rounded *= 2;
        }
        expect_aligned(block, rounded);
        rf_free(block);
    }
    errno = 0;
    assert_null(rf_memalign(SIZE_MAX, 1));
    assert_int_equal(errno, EINVAL);
}

static void
posix_memalign_touches_nothing_when_it_fails(void **state)
{
    const size_t wrong[] = {0, 1, 2, 4, 7, 24, 72, SIZE_MAX};
    int mark;
    void *block = &mark;

    (void)state;
    errno = UNTOUCHED;
    for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
        assert_int_equal(rf_posix_memalign(&block, wrong[i], 10), EINVAL);
    }
    assert_int_equal(rf_posix_memalign(&block, 64, PTRDIFF_MAX - 64), ENOMEM);
    assert_int_equal(rf_posix_memalign(&block, 64, SIZE_MAX), ENOMEM);
    assert_ptr_equal(block, &mark);
    assert_int_equal(errno, UNTOUCHED);
}

static void
posix_memalign_aligns(void **state)
{
    (void)state;
    for (size_t align = sizeof(void *); align <= 65536; align *= 2) {
        void *block = NULL;

        assert_int_equal(rf_posix_memalign(&block, align, 0), 0);
        expect_aligned(block, align);
        rf_free(block);
        assert_int_equal(rf_posix_memalign(&block, align, 3 * align), 0);
        expect_aligned(block, align);
        rf_free(block);
    }
}

static void
impossible_aligned_sizes_fail_with_enomem(void **state)
{
    (void)state;
    for (size_t below = 0; below < 5000; below += 7) {
        volatile size_t size = PTRDIFF_MAX - below;

        errno = 0;
        assert_null(rf_aligned_alloc(64, size));
        assert_int_equal(errno, ENOMEM);
        size = SIZE_MAX - below;
        errno = 0;
        assert_null(rf_memalign(4096, size));
        assert_int_equal(errno, ENOMEM);
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_block_is_aligned_to_16),
        cmocka_unit_test(sweeps_alignments_up_to_a_gib),
        cmocka_unit_test(many_aligned_blocks_live_together),
        cmocka_unit_test(aligned_alloc_wants_a_power_of_two),
        cmocka_unit_test(memalign_rounds_up),
        cmocka_unit_test(posix_memalign_touches_nothing_when_it_fails),
        cmocka_unit_test(posix_memalign_aligns),
        cmocka_unit_test(impossible_aligned_sizes_fail_with_enomem),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
