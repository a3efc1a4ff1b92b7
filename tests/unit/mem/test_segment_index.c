/* SPDX-License-Identifier: MIT
 *
 * The index of segments, with segments that are only records.
 */
#include "mem/segment_index.h"

#include "base/random.h"
#include "mem_test.h"

#define SEGMENTS 200

static rfi_segment_t segments[SEGMENTS];
static rfi_segment_index_t index_under_test;

/* Segment i starts at (i + 1) * 4 MiB and has 64 free granules. */
static int
make_segments(void **state)
{
    (void)state;
    index_under_test = (rfi_segment_index_t){0};
    for (size_t i = 0; i < SEGMENTS; i++) {
        segments[i] = (rfi_segment_t){
            .start = (char *)((i + 1) * 4 * MIB),
            .granules = 64,
            .free_count = 64,
        };
    }
    return 0;
}

static void
insert_all_shuffled(void)
{
    /* 77 has no common divisor with 200, so every one comes once. */
    for (size_t i = 0; i < SEGMENTS; i++) {
        assert_true(rfi_segment_index_reserve(&index_under_test));
        rfi_segment_index_insert(&index_under_test,
                                 &segments[i * 77 % SEGMENTS]);
    }
}

static void
keeps_address_order(void **state)
{
    (void)state;
    insert_all_shuffled();
    assert_int_equal(index_under_test.count, SEGMENTS);
    for (uint32_t i = 0; i < SEGMENTS; i++) {
        assert_ptr_equal(index_under_test.slots[i].segment, &segments[i]);
        assert_int_equal(index_under_test.slots[i].room, 64);
    }
}

static void
finds_by_address(void **state)
{
    (void)state;
    assert_int_equal(rfi_segment_index_find(&index_under_test, 1), 0);
    insert_all_shuffled();
    assert_int_equal(rfi_segment_index_find(&index_under_test, 4 * MIB - 1),
                     SEGMENTS);
    for (uint32_t i = 0; i < SEGMENTS; i++) {
        uintptr_t start = (i + 1) * 4 * MIB;

        assert_int_equal(rfi_segment_index_find(&index_under_test, start), i);
        assert_int_equal(
            rfi_segment_index_find(&index_under_test, start + 4 * MIB - 1),
            i);
    }
    assert_int_equal(rfi_segment_index_find(&index_under_test, UINTPTR_MAX),
                     SEGMENTS - 1);
}

static void
removes(void **state)
{
    (void)state;
    insert_all_shuffled();
    for (uint32_t i = 0; i < SEGMENTS / 2; i++) {
        rfi_segment_index_remove(&index_under_test, i); /* 0, 2, 4 ... */
    }
    for (uint32_t i = 0; i < SEGMENTS / 2; i++) {
        assert_ptr_equal(index_under_test.slots[i].segment,
                         &segments[2 * i + 1]);
    }
}

static void
knows_where_room_begins(void **state)
{
    (void)state;
    insert_all_shuffled();
    rfi_segment_index_lower(&index_under_test, 1, 0);
    assert_int_equal(index_under_test.lowest, 0);
    rfi_segment_index_lower(&index_under_test, 0, 10);
    assert_int_equal(index_under_test.slots[0].room, 10);
    rfi_segment_index_lower(&index_under_test, 0, 20);
    assert_int_equal(index_under_test.slots[0].room, 10);
    rfi_segment_index_lower(&index_under_test, 0, 0);
    assert_int_equal(index_under_test.lowest, 2);
    rfi_segment_index_raise(&index_under_test, 1, 3);
    assert_int_equal(index_under_test.lowest, 1);
    rfi_segment_index_raise(&index_under_test, 1, 2);
    assert_int_equal(index_under_test.slots[1].room, 3);
    rfi_segment_index_remove(&index_under_test, 0);
    assert_int_equal(index_under_test.lowest, 0);
    for (uint32_t i = 0; i < index_under_test.count; i++) {
        rfi_segment_index_lower(&index_under_test, i, 0);
    }
    assert_int_equal(index_under_test.lowest, index_under_test.count);
}

static void
reports_missing_memory(void **state)
{
    (void)state;
    /* Metadata that is mapped already serves some of the requests. */
    rfi_fail_arm(1, FOR_EVER);
    index_under_test.count = index_under_test.capacity = 1 << 20;
    assert_false(rfi_segment_index_reserve(&index_under_test));
    assert_int_equal(index_under_test.capacity, 1 << 20);
    never_fail();
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(keeps_address_order, make_segments),
        cmocka_unit_test_setup(finds_by_address, make_segments),
        cmocka_unit_test_setup(removes, make_segments),
        cmocka_unit_test_setup(knows_where_room_begins, make_segments),
        cmocka_unit_test_setup(reports_missing_memory, make_segments),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
