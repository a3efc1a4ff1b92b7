/* SPDX-License-Identifier: MIT
 *
 * The cache of huge mappings, with mappings that are only numbers.
 */
#include "mem/huge_cache.h"

#include "mem_test.h"

static rfi_huge_cache_t cache;

static int
clear(void **state)
{
    (void)state;
    cache = (rfi_huge_cache_t){0};
    return 0;
}

static bool
put(uintptr_t start, size_t size, rfi_huge_content_t content, uint64_t time)
{
    rfi_huge_mapping_t mapping = {
        .start = (char *)start,
        .size = size,
        .content = content,
        .freed_ms = time,
    };

    return rfi_huge_cache_put(&cache, &mapping);
}

static void
takes_the_best_fit(void **state)
{
    rfi_huge_mapping_t mapping;

    (void)state;
    put(64 * MIB, 20 * MIB, RFI_HUGE_DIRTY, 1);
    put(128 * MIB, 17 * MIB, RFI_HUGE_DIRTY, 2);
    put(256 * MIB, 18 * MIB, RFI_HUGE_DIRTY, 3);
    assert_true(rfi_huge_cache_take(&cache, 16 * MIB, 64 * KIB, &mapping));
    assert_int_equal(mapping.size, 17 * MIB);
    /* 18 MiB would do but for its alignment. */
    assert_true(rfi_huge_cache_take(&cache, 16 * MIB, 256 * MIB, &mapping));
    assert_int_equal(mapping.size, 18 * MIB);
    assert_false(rfi_huge_cache_take(&cache, 15 * MIB, 64 * KIB, &mapping));
    assert_false(rfi_huge_cache_take(&cache, 21 * MIB, 64 * KIB, &mapping));
    assert_true(rfi_huge_cache_take(&cache, 16 * MIB, 64 * KIB, &mapping));
    assert_int_equal(mapping.size, 20 * MIB);
    assert_int_equal(cache.count, 0);
    assert_int_equal(cache.bytes, 0);
}

static void
never_hands_out_what_has_no_access(void **state)
{
    rfi_huge_mapping_t mapping;

    (void)state;
    put(64 * MIB, 16 * MIB, RFI_HUGE_NO_ACCESS, 1);
    assert_false(rfi_huge_cache_take(&cache, 16 * MIB, 64 * KIB, &mapping));
    assert_true(rfi_huge_cache_pop(&cache, 2, 0, &mapping));
    assert_int_equal(mapping.content, RFI_HUGE_NO_ACCESS);
}

static void
pops_what_is_due(void **state)
{
    rfi_huge_mapping_t mapping;

    (void)state;
    put(64 * MIB, 16 * MIB, RFI_HUGE_DIRTY, 1000);
    put(128 * MIB, 16 * MIB, RFI_HUGE_DIRTY, 1200);
    assert_false(rfi_huge_cache_pop(&cache, 900, 500, &mapping));
    assert_false(rfi_huge_cache_pop(&cache, 1499, 500, &mapping));
    assert_true(rfi_huge_cache_pop(&cache, 1500, 500, &mapping));
    assert_ptr_equal(mapping.start, (char *)(64 * MIB));
    assert_false(rfi_huge_cache_pop(&cache, 1500, 500, &mapping));
    assert_true(rfi_huge_cache_pop(&cache, 0, 0, &mapping));
    assert_false(rfi_huge_cache_pop(&cache, 0, 0, &mapping));
}

static void
has_limits(void **state)
{
    rfi_huge_mapping_t mapping;

    (void)state;
    put(1 * GIB, 40 * MIB, RFI_HUGE_DIRTY, 1);
    put(2 * GIB, 24 * MIB, RFI_HUGE_DIRTY, 1);
    assert_false(rfi_huge_cache_pop(&cache, 1, 500, &mapping));
    put(3 * GIB, 1 * MIB, RFI_HUGE_DIRTY, 1);
    assert_true(rfi_huge_cache_pop(&cache, 1, 500, &mapping));
    assert_int_equal(mapping.size, 40 * MIB);
    for (size_t i = 0; cache.count < RFI_HUGE_CACHE_BLOCKS; i++) {
        put((4 + i) * GIB, 64 * KIB, RFI_HUGE_DIRTY, 1);
    }
    assert_false(rfi_huge_cache_pop(&cache, 1, 500, &mapping));
    put(100 * GIB, 64 * KIB, RFI_HUGE_DIRTY, 1);
    assert_true(rfi_huge_cache_pop(&cache, 1, 500, &mapping));
    while (cache.count < RFI_HUGE_CACHE_SLOTS) {
        assert_true(put(101 * GIB, 64 * KIB, RFI_HUGE_ZERO, 1));
    }
    assert_false(put(102 * GIB, 64 * KIB, RFI_HUGE_ZERO, 1));
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(takes_the_best_fit, clear),
        cmocka_unit_test_setup(never_hands_out_what_has_no_access, clear),
        cmocka_unit_test_setup(pops_what_is_due, clear),
        cmocka_unit_test_setup(has_limits, clear),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
