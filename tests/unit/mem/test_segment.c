/* SPDX-License-Identifier: MIT
 *
 * Segments: how large they become, what is left when the kernel has less,
 * records and mappings that come back, and chunks under strict overcommit.
 */
#include "mem/segment.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "core/config.h"
#include "mem/bitmap.h"
#include "mem/directory.h"
#include "mem_test.h"
#include "support/child.h"

#define CHUNK_GRANULES ((uint32_t)RFI_GRANULES_PER_CHUNK)

static size_t
size_of(const rfi_segment_t *segment)
{
    return segment->granules * RFI_GRANULE_SIZE;
}

static rfi_segment_t *
create(uint32_t count, uint32_t align)
{
    rfi_segment_t *segment = rfi_segment_create(count, align);

    assert_non_null(segment);
    assert_true(segment->granules >= count);
    assert_int_equal((uintptr_t)segment->start % (align * RFI_GRANULE_SIZE),
                     0);
    assert_int_equal(segment->free_count, segment->granules);
    assert_int_equal(
        rfi_bitmap_count(segment->free, 0, segment->granules),
        segment->granules);
    assert_int_equal(segment->dirty_count, 0);
    assert_non_null(rfi_directory_find(segment->start));
    assert_non_null(
        rfi_directory_find(segment->start + size_of(segment) - 1));
    return segment;
}

static void
destroy(rfi_segment_t *segment)
{
    assert_true(rfi_segment_unmap(segment));
    rfi_segment_recycle(segment, true);
}

/* The test that runs first sees the process's first segment. */
static void
starts_small_and_grows(void **state)
{
    rfi_segment_t *segments[40];
    size_t count = 0;

    (void)state;
    while (rfi_segment_mapped() < 640 * MIB) {
        size_t mapped = rfi_segment_mapped();
        rfi_segment_t *segment = create(1, 1);

        assert_int_equal((uintptr_t)segment->start % RFI_CHUNK_SIZE, 0);
        assert_int_equal(size_of(segment) % RFI_CHUNK_SIZE, 0);
        assert_int_equal(segment->is_first, count == 0);
        assert_true(size_of(segment) >= 4 * MIB);
        assert_true(size_of(segment) <= 4 * MIB
                    || size_of(segment) <= mapped / 8);
        assert_int_equal(rfi_segment_mapped(), mapped + size_of(segment));
        segments[count++] = segment;
        assert_true(count < 40);
    }
    while (count > 0) {
        destroy(segments[--count]);
    }
    assert_int_equal(rfi_segment_mapped(), 0);
}

/* The flags of the mapping that holds the address, from the kernel's list:
 * two letters each. */
static bool
has_flag(const void *address, const char *flag)
{
    FILE *file = fopen("/proc/self/smaps", "r");
    char line[512];
    bool here = false;
    bool found = false;

    assert_non_null(file);
    while (!found && fgets(line, sizeof(line), file) != NULL) {
        uintptr_t start, end;

        if (sscanf(line, "%lx-%lx ", &start, &end) == 2) {
            here = (uintptr_t)address >= start && (uintptr_t)address < end;
        } else if (here && strncmp(line, "VmFlags:", 8) == 0) {
            found = strstr(line, flag) != NULL;
            break;
        }
    }
    fclose(file);
    return found;
}

static void
asks_for_huge_pages_as_told(void **state)
{
    (void)state;
    if (access("/sys/kernel/mm/transparent_hugepage", F_OK) != 0) {
        skip();
    }
    rfi_segment_t *first = create(1, 1);
    rfi_segment_t *second = create(1, 1);

    assert_true(has_flag(first->start, " nh"));
    assert_false(has_flag(second->start, " nh"));
    destroy(second);
    destroy(first);
    rfi_config.thp = RFI_THP_ALWAYS;
    first = create(1, 1);
    assert_true(has_flag(first->start, " hg"));
    rfi_config.thp = RFI_THP_NEVER;
    second = create(1, 1);
    assert_true(has_flag(second->start, " nh"));
    destroy(second);
    destroy(first);
    rfi_config.thp = RFI_THP_DEFAULT;
}

static void
serves_large_and_aligned_requests(void **state)
{
    (void)state;
    for (uint32_t align = 1; align <= 4096; align *= 4) {
        destroy(create(100, align));
    }
    destroy(create(4096, 32));
    destroy(create(5000, 1)); /* more than the usual maximum */
}

static void
takes_and_gives(void **state)
{
    rfi_segment_t *segment = create(64, 1);

    (void)state;
    assert_int_equal(rfi_segment_take(segment, 0, 10), 0);
    assert_int_equal(segment->lowest, 10);
    assert_int_equal(segment->free_count, segment->granules - 10);
    rfi_segment_give(segment, 2, 4, true, 1000);
    assert_int_equal(segment->lowest, 2);
    assert_int_equal(segment->dirty_count, 4);
    assert_int_equal(segment->freed_ms[5], 1000);
    assert_int_equal(rfi_segment_take(segment, 4, 2), 2);
    assert_int_equal(segment->lowest, 2);
    rfi_segment_give(segment, 0, 2, false, 0);
    assert_int_equal(segment->dirty_count, 2);
    assert_int_equal(rfi_segment_take(segment, 0, 4), 2);
    assert_int_equal(segment->dirty_count, 0);
    destroy(segment);
}

static void
takes_less_when_there_is_less(void **state)
{
    rfi_segment_t *segment;

    (void)state;
    destroy(create(1, 1)); /* so that record and leaf exist */
    rfi_fail_arm(1, 1);
    segment = create(1, 1);
    assert_int_equal(size_of(segment), 2 * MIB); /* half of 4 */
    never_fail();
    destroy(segment);
    rfi_fail_arm(1, 2);
    segment = create(3, 1);
    assert_int_equal(segment->granules, 3); /* what is needed */
    never_fail();
    destroy(segment);
    rfi_fail_arm(1, FOR_EVER);
    assert_null(rfi_segment_create(1, 1));
    never_fail();
    assert_int_equal(rfi_segment_mapped(), 0);
}

static void
strands_what_cannot_be_unmapped(void **state)
{
    rfi_segment_t *segment = create(1, 1);
    char *start = segment->start;
    size_t mapped = rfi_segment_mapped();

    (void)state;
    rfi_fail_arm(1, 1);
    assert_false(rfi_segment_unmap(segment));
    never_fail();
    rfi_segment_recycle(segment, false);
    /* Too small and not aligned for this one. */
    rfi_segment_t *other = create(1000, 4096);

    assert_ptr_not_equal(other, segment);
    destroy(other);
    assert_int_equal(rfi_segment_mapped(), mapped);
    count_calls();
    assert_ptr_equal(create(1, 1), segment);
    assert_int_equal(rfi_fail_calls(), 0);
    assert_ptr_equal(segment->start, start);
    never_fail();
    rfi_segment_recycle(segment, false);
    assert_ptr_equal(rfi_segment_pop_stranded(), segment);
    assert_null(rfi_segment_pop_stranded());
    destroy(segment);
    assert_int_equal(rfi_segment_mapped(), 0);
}

static void
purges_runs(void **state)
{
    rfi_segment_t *segment = create(8, 1);
    rfi_run_t run = {.segment = segment, .first = 2, .count = 3};

    (void)state;
    memset(segment->start, 7, 8 * RFI_GRANULE_SIZE);
    assert_true(rfi_segment_purge_run(&run, false));
    assert_true(is_all(segment->start, 2 * RFI_GRANULE_SIZE, 7));
    assert_true(is_all(segment->start + 2 * RFI_GRANULE_SIZE,
                       3 * RFI_GRANULE_SIZE, 0));
    assert_true(is_all(segment->start + 5 * RFI_GRANULE_SIZE,
                       3 * RFI_GRANULE_SIZE, 7));
    rfi_fail_arm(1, 1);
    assert_false(rfi_segment_purge_run(&run, false));
    never_fail();
    destroy(segment);
}

static void
read_byte(void *address)
{
    (void)*(volatile char *)address;
}

static void
assert_readable(void *address, bool readable)
{
    child_t child;

    child_run(&child, read_byte, address);
    assert_int_equal(child.signal, readable ? 0 : SIGSEGV);
}

static void
commits_chunk_by_chunk_when_strict(void **state)
{
    (void)state;
    rfi_segment_overcommit = 2;
    rfi_segment_t *segment = create(3 * CHUNK_GRANULES, 1);

    assert_readable(segment->start, false);
    /* Two granules on both sides of a chunk's end. */
    assert_true(rfi_segment_commit(segment, CHUNK_GRANULES - 1, 2));
    assert_readable(segment->start, true);
    assert_readable(segment->start + 2 * RFI_CHUNK_SIZE - 1, true);
    assert_readable(segment->start + 2 * RFI_CHUNK_SIZE, false);
    count_calls();
    assert_true(rfi_segment_commit(segment, 0, 2 * CHUNK_GRANULES));
    assert_int_equal(rfi_fail_calls(), 0);
    rfi_fail_arm(1, 1);
    assert_false(rfi_segment_commit(segment, 0, 3 * CHUNK_GRANULES));
    never_fail();

    rfi_run_t run = {.segment = segment, .count = CHUNK_GRANULES};

    segment->start[0] = 1;
    assert_true(rfi_segment_purge_run(&run, true));
    rfi_segment_note_decommit(&run);
    assert_readable(segment->start, false);
    assert_readable(segment->start + RFI_CHUNK_SIZE, true);
    assert_true(rfi_segment_commit(segment, 0, 1));
    assert_int_equal(segment->start[0], 0);
    destroy(segment);
    rfi_segment_overcommit = 0;
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(starts_small_and_grows),
        cmocka_unit_test(asks_for_huge_pages_as_told),
        cmocka_unit_test(serves_large_and_aligned_requests),
        cmocka_unit_test(takes_and_gives),
        cmocka_unit_test(takes_less_when_there_is_less),
        cmocka_unit_test(strands_what_cannot_be_unmapped),
        cmocka_unit_test(purges_runs),
        cmocka_unit_test(commits_chunk_by_chunk_when_strict),
    };

    rfi_segment_overcommit = 0; /* whatever the machine has */
    return cmocka_run_group_tests(tests, NULL, NULL);
}
