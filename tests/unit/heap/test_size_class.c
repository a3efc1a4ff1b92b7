/* SPDX-License-Identifier: MIT
 *
 * The table of size classes against the rules of size_class.h, for every
 * size, every alignment, and every offset of every span.
 */
#include "heap/size_class.h"

#include "support/test.h"

#define SPAN_BYTES(c) (rfi_size_classes[c].granules * RFI_GRANULE_SIZE)

static void
table_follows_the_spacing(void **state)
{
    size_t size = 0;

    (void)state;
    for (unsigned c = 0; c < RFI_CLASS_COUNT; c++) {
        /* 16 bytes apart up to 128, then a quarter of the doubling. */
        size_t step =
            size < 128 ? 16 : ((size_t)1 << rfi_log2_floor(size)) / 4;

        size += step;
        assert_int_equal(rfi_size_class_bytes(c), size);
    }
    assert_int_equal(size, RFI_CLASS_SIZE_MAX);
}

static void
spans_hold_what_the_table_says(void **state)
{
    (void)state;
    for (unsigned c = 0; c < RFI_CLASS_COUNT; c++) {
        const rfi_size_class_t *info = &rfi_size_classes[c];

        assert_int_equal(info->granules,
                         info->block_size <= RFI_ONE_GRANULE_MAX
                             ? 1
                             : RFI_WIDE_SPAN_GRANULES);
        assert_int_equal(info->capacity, SPAN_BYTES(c) / info->block_size);
        assert_true(info->capacity >= 8);
        assert_true(SPAN_BYTES(c) <= (size_t)1 << RFI_WIDE_SPAN_SHIFT);
    }
}

static void
every_size_gets_the_smallest_class(void **state)
{
    (void)state;
    assert_int_equal(rfi_size_class_of(0), 0);
    for (size_t size = 1; size <= RFI_CLASS_SIZE_MAX; size++) {
        unsigned c = rfi_size_class_of(size);

        assert_true(c < RFI_CLASS_COUNT);
        assert_true(rfi_size_class_bytes(c) >= size);
        assert_true(c == 0 || rfi_size_class_bytes(c - 1) < size);
        if (size > RFI_LINEAR_MAX) {
            assert_int_equal(rfi_size_class_of_medium(size), c);
        }
    }
}

static void
waste_is_bounded(void **state)
{
    (void)state;
    for (size_t size = 1; size <= RFI_CLASS_SIZE_MAX; size++) {
        size_t block = rfi_size_class_bytes(rfi_size_class_of(size));

        assert_true(block - size <= 15 || (block - size) * 5 <= block);
    }
}

static void
starts_are_multiples_of_the_size(void **state)
{
    (void)state;
    for (unsigned c = 0; c < RFI_CLASS_COUNT; c++) {
        uint64_t magic = rfi_size_classes[c].start_magic;
        uint32_t size = rfi_size_classes[c].block_size;
        uint32_t until_start = 0;
        unsigned wrong = 0;

        for (uint32_t offset = 0; offset < SPAN_BYTES(c); offset++) {
            wrong += rfi_size_class_is_start(magic, offset)
                     != (until_start == 0);
            until_start = (until_start == 0 ? size : until_start) - 1;
        }
        assert_int_equal(wrong, 0);
        assert_true(rfi_size_class_is_start(magic, UINT32_MAX / size * size));
        assert_false(rfi_size_class_is_start(magic, UINT32_MAX));
    }
}

/* The smallest class that will do, found by looking at all of them. */
static unsigned
search_aligned(size_t size, size_t align)
{
    unsigned c = 0;

    while (c < RFI_CLASS_COUNT
           && (rfi_size_class_bytes(c) < size
               || rfi_size_class_bytes(c) % align != 0)) {
        c++;
    }
    return c;
}

static void
aligned_classes_are_aligned_and_smallest(void **state)
{
    (void)state;
    for (size_t align = 1; align <= RFI_CLASS_SIZE_MAX; align *= 2) {
        for (size_t size = 0; size <= RFI_CLASS_SIZE_MAX + 1;
             size += size < 4200 ? 1 : 127) {
            assert_int_equal(rfi_size_class_of_aligned(size, align),
                             search_aligned(size, align));
        }
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(table_follows_the_spacing),
        cmocka_unit_test(spans_hold_what_the_table_says),
        cmocka_unit_test(every_size_gets_the_smallest_class),
        cmocka_unit_test(waste_is_bounded),
        cmocka_unit_test(starts_are_multiples_of_the_size),
        cmocka_unit_test(aligned_classes_are_aligned_and_smallest),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
