/* SPDX-License-Identifier: MIT
 *
 * rf_trim: resident memory falls, the answer is honest, live blocks stay.
 */
#include <errno.h>
#include <ringfence/ringfence.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "support/test.h"

#define MIB ((size_t)1 << 20)

static size_t
resident_bytes(void)
{
    unsigned long pages = 0;
    unsigned long ignored;
    FILE *file = fopen("/proc/self/statm", "r");

    assert_non_null(file);
    assert_int_equal(fscanf(file, "%lu %lu", &ignored, &pages), 2);
    assert_int_equal(fclose(file), 0);
    return pages * (size_t)sysconf(_SC_PAGESIZE);
}

/* 100 MiB in blocks of one size, written, freed, trimmed; one block in
 * `keep_every` lives on. */
static void
expect_to_shrink(size_t size, size_t keep_every, size_t at_least)
{
    static unsigned char *blocks[200000];
    size_t count = 100 * MIB / size;

    assert_true(count <= 200000);
    for (size_t i = 0; i < count; i++) {
        blocks[i] = rf_malloc(size);
        assert_non_null(blocks[i]);
        memset(blocks[i], 1, size);
    }
    size_t peak = resident_bytes();

    for (size_t i = 0; i < count; i++) {
        if (i % keep_every != 0) {
            rf_free(blocks[i]);
        }
    }
    rf_trim(0);
    size_t after = resident_bytes();

    if (after + at_least > peak) {
        fail_msg("%zu bytes a block: %zu MiB before, %zu MiB after", size,
                 peak / MIB, after / MIB);
    }
    for (size_t i = 0; i < count; i += keep_every) {
        assert_int_equal(blocks[i][0], 1);
        assert_int_equal(blocks[i][size - 1], 1);
        rf_free(blocks[i]);
    }
}

static void
small_blocks_go_back(void **state)
{
    (void)state;
    expect_to_shrink(600, 100000, 80 * MIB);
}

static void
medium_blocks_go_back(void **state)
{
    (void)state;
    expect_to_shrink(20000, 1000, 80 * MIB);
}

static void
large_blocks_go_back(void **state)
{
    (void)state;
    expect_to_shrink(MIB, 10, 80 * MIB);
}

static void
huge_blocks_go_back(void **state)
{
    (void)state;
    expect_to_shrink(20 * MIB, 5, 70 * MIB);
}

static void
says_whether_anything_went_back(void **state)
{
    (void)state;
    (void)rf_trim(0);
    errno = 1234;
    void *block = rf_malloc(8 * MIB);

    assert_non_null(block);
    memset(block, 1, 8 * MIB);
    rf_free(block);
    assert_int_equal(rf_trim((size_t)1 << 40), 0);
    assert_int_equal(rf_trim(0), 1);
    assert_int_equal(rf_trim(0), 0);
    assert_int_equal(errno, 1234);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(small_blocks_go_back),
        cmocka_unit_test(medium_blocks_go_back),
        cmocka_unit_test(large_blocks_go_back),
        cmocka_unit_test(huge_blocks_go_back),
        cmocka_unit_test(says_whether_anything_went_back),
    };

    /* Only rf_trim() is to give memory back. */
    if (rf_option_set("dirty_decay_ms", "-1") != 0) {
        return 1;
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
