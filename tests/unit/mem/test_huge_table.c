/* SPDX-License-Identifier: MIT
 *
 * The table of huge blocks: order, bisection, reservations.
 */
#include "mem/huge_table.h"

#include "mem_test.h"

#define ENTRIES 300
#define STRIDE (32 * MIB)
#define SIZE (20 * MIB)

static rfi_huge_table_t table;

static uintptr_t
start_of(size_t i)
{
    return (i + 1) * STRIDE;
}

static int
fill(void **state)
{
    (void)state;
    table = (rfi_huge_table_t){0};
    /* 77 has no common divisor with 300, so every one comes once. */
    for (size_t i = 0; i < ENTRIES; i++) {
        if (!rfi_huge_table_reserve(&table)) {
            return -1;
        }
        rfi_huge_table_insert(&table, start_of(i * 77 % ENTRIES), SIZE);
    }
    return 0;
}

static void
finds_every_address(void **state)
{
    (void)state;
    assert_int_equal(table.count, ENTRIES);
    assert_int_equal(table.reserved, 0);
    assert_null(rfi_huge_table_find(&table, 0));
    for (size_t i = 0; i < ENTRIES; i++) {
        uintptr_t start = start_of(i);

        assert_null(rfi_huge_table_find(&table, start - 1));
        assert_int_equal(rfi_huge_table_find(&table, start)->start, start);
        assert_int_equal(
            rfi_huge_table_find(&table, start + SIZE - 1)->start, start);
        assert_null(rfi_huge_table_find(&table, start + SIZE));
    }
    assert_null(rfi_huge_table_find(&table, UINTPTR_MAX));
}

static void
removes(void **state)
{
    (void)state;
    for (size_t i = 0; i < ENTRIES; i += 3) {
        rfi_huge_table_remove(&table, start_of(i));
    }
    assert_int_equal(table.count, ENTRIES - ENTRIES / 3);
    for (size_t i = 0; i < ENTRIES; i++) {
        assert_int_equal(rfi_huge_table_find(&table, start_of(i)) == NULL,
                         i % 3 == 0);
    }
}

static void
reservations_hold(void **state)
{
    (void)state;
    while (table.count + table.reserved < table.capacity) {
        assert_true(rfi_huge_table_reserve(&table));
    }
    size_t reserved = table.reserved;

    rfi_huge_table_remove(&table, start_of(5));
    count_calls();
    assert_true(rfi_huge_table_reserve(&table)); /* its own place */
    assert_int_equal(rfi_fail_calls(), 0);
    never_fail();
    rfi_huge_table_insert(&table, start_of(5), SIZE);
    rfi_huge_table_cancel(&table);
    assert_int_equal(table.reserved, reserved - 1);
}

static void
reports_missing_memory(void **state)
{
    rfi_huge_table_t full = {.count = 1 << 20, .capacity = 1 << 20};

    (void)state;
    rfi_fail_arm(1, FOR_EVER);
    assert_false(rfi_huge_table_reserve(&full));
    never_fail();
    assert_int_equal(full.reserved, 0);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(finds_every_address, fill),
        cmocka_unit_test_setup(removes, fill),
        cmocka_unit_test_setup(reservations_hold, fill),
        cmocka_unit_test(reports_missing_memory),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
