/* SPDX-License-Identifier: MIT
 *
 * Pages: what is mapped where with which access, what purge and decommit
 * leave behind, and every call failing once.
 */
#include "os/page.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "os/fail.h"
#include "support/child.h"
#include "support/test.h"

#define KIB ((size_t)1024)
#define MIB (1024 * KIB)
#define GIB (1024 * MIB)

static int
set_up(void **state)
{
    (void)state;
    rfi_fail_arm(1, 0);
    errno = 1234;
    return 0;
}

static int
tear_down(void **state)
{
    (void)state;
    rfi_fail_arm(1, 0);
    return errno == 1234 ? 0 : -1;
}

static char *
map(size_t size, size_t align, rfi_page_access_t access)
{
    void *start = NULL;

    assert_int_equal(rfi_page_map(&start, size, align, access), 0);
    assert_non_null(start);
    assert_int_equal((uintptr_t)start % align, 0);
    return start;
}

static void
unmap(void *start, size_t size)
{
    assert_int_equal(rfi_page_unmap(start, size), 0);
}

static bool
is_zero(const char *bytes, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (bytes[i] != 0) {
            return false;
        }
    }
    return true;
}

/* Is any page of the range mapped? Asks the kernel by an advice that changes
 * nothing. */
static bool
is_mapped(void *start, size_t size)
{
    int saved = errno;
    bool mapped = madvise(start, size, MADV_NORMAL) == 0;

    errno = saved;
    return mapped;
}

static size_t
resident_pages(void *start, size_t size)
{
    unsigned char present[64];
    size_t pages = size / rfi_page_size();
    size_t count = 0;

    assert_true(pages <= sizeof(present));
    assert_int_equal(mincore(start, size, present), 0);
    for (size_t i = 0; i < pages; i++) {
        count += present[i] & 1;
    }
    return count;
}

static void
read_byte(void *address)
{
    (void)*(volatile char *)address;
}

static void
write_byte(void *address)
{
    *(volatile char *)address = 1;
}

static void
assert_survives(void (*access)(void *), void *address, bool survives)
{
    child_t child;

    child_run(&child, access, address);
    assert_int_equal(child.signal, survives ? 0 : SIGSEGV);
}

static void
knows_the_page_size(void **state)
{
    (void)state;
    assert_int_equal(rfi_page_size(), sysconf(_SC_PAGESIZE));
    assert_int_equal(rfi_page_size(), sysconf(_SC_PAGESIZE));
}

static void
maps_zeroed_usable_memory(void **state)
{
    char *start = map(64 * KIB, rfi_page_size(), RFI_PAGE_READ_WRITE);

    (void)state;
    assert_true(is_zero(start, 64 * KIB));
    memset(start, 0xaa, 64 * KIB);
    unmap(start, 64 * KIB);
    assert_false(is_mapped(start, 64 * KIB));
}

static void
maps_with_the_access_asked_for(void **state)
{
    size_t page = rfi_page_size();
    char *none = map(page, page, RFI_PAGE_NONE);
    char *read_only = map(page, page, RFI_PAGE_READ);

    (void)state;
    assert_survives(read_byte, none, false);
    assert_survives(read_byte, read_only, true);
    assert_survives(write_byte, read_only, false);
    unmap(none, page);
    unmap(read_only, page);
}

static void
maps_at_any_alignment(void **state)
{
    (void)state;
    for (size_t align = rfi_page_size(); align <= GIB; align *= 2) {
        char *start = map(64 * KIB, align, RFI_PAGE_READ_WRITE);

        start[0] = 1;
        start[64 * KIB - 1] = 1;
        unmap(start, 64 * KIB);
    }
}

static size_t
virtual_pages(void)
{
    unsigned long pages = 0;
    int saved = errno;
    FILE *file = fopen("/proc/self/statm", "r");

    assert_non_null(file);
    assert_int_equal(fscanf(file, "%lu", &pages), 1);
    fclose(file);
    errno = saved;
    return pages;
}

static void
trims_what_alignment_needed(void **state)
{
    enum { COUNT = 20 };
    char *starts[COUNT];

    (void)state;
    virtual_pages(); /* stdio's own memory */
    size_t before = virtual_pages();

    for (int i = 0; i < COUNT; i++) {
        starts[i] = map(64 * KIB, 16 * MIB, RFI_PAGE_NONE);
    }
    size_t after = virtual_pages();

    for (int i = 0; i < COUNT; i++) {
        unmap(starts[i], 64 * KIB);
    }
    assert_int_equal(after - before, COUNT * 64 * KIB / rfi_page_size());
    assert_int_equal(virtual_pages(), before);
}

static void
refuses_what_cannot_be(void **state)
{
    void *start = NULL;
    size_t most = SIZE_MAX & ~(rfi_page_size() - 1);

    (void)state;
    assert_int_equal(rfi_page_map(&start, most, rfi_page_size(), RFI_PAGE_NONE),
                     -ENOMEM);
    assert_int_equal(rfi_page_map(&start, SIZE_MAX / 2 + 1, GIB, RFI_PAGE_NONE),
                     -ENOMEM);
    assert_null(start);
}

static void
changes_access(void **state)
{
    size_t page = rfi_page_size();
    char *start = map(page, page, RFI_PAGE_NONE);

    (void)state;
    assert_int_equal(rfi_page_protect(start, page, RFI_PAGE_READ_WRITE), 0);
    *start = 7;
    assert_int_equal(rfi_page_protect(start, page, RFI_PAGE_READ), 0);
    assert_survives(write_byte, start, false);
    assert_int_equal(*start, 7);
    assert_int_equal(rfi_page_protect(start, page, RFI_PAGE_NONE), 0);
    assert_survives(read_byte, start, false);
    unmap(start, page);
    assert_int_equal(rfi_page_protect(start, page, RFI_PAGE_READ), -ENOMEM);
}

static void
purges_contents_and_residency(void **state)
{
    size_t page = rfi_page_size();
    size_t size = 8 * page;
    char *start = map(size, page, RFI_PAGE_READ_WRITE);

    (void)state;
    memset(start, 0xaa, size);
    assert_int_equal(resident_pages(start, size), 8);
    assert_int_equal(rfi_page_purge(start + page, 3 * page), 0);
    assert_int_equal(resident_pages(start, size), 5);
    assert_true(is_zero(start + page, 3 * page));
    assert_int_equal((unsigned char)start[0], 0xaa);
    assert_int_equal((unsigned char)start[4 * page], 0xaa);
    unmap(start, size);
}

static void
decommits_to_reserved_no_access(void **state)
{
    size_t page = rfi_page_size();
    char *start = map(4 * page, page, RFI_PAGE_READ_WRITE);

    (void)state;
    memset(start, 0xaa, 4 * page);
    assert_int_equal(rfi_page_decommit(start + page, 2 * page), 0);
    assert_true(is_mapped(start, 4 * page));
    assert_survives(read_byte, start + page, false);
    assert_survives(read_byte, start + 3 * page, true);
    assert_int_equal(
        rfi_page_protect(start + page, 2 * page, RFI_PAGE_READ_WRITE), 0);
    assert_true(is_zero(start + page, 2 * page));
    unmap(start, 4 * page);
}

static void
resizes_in_place_only_without_target(void **state)
{
    size_t page = rfi_page_size();
    char *start = map(8 * page, page, RFI_PAGE_READ_WRITE);

    (void)state;
    memset(start, 0xaa, 8 * page);
    assert_int_equal(rfi_page_remap(start, 8 * page, 2 * page, NULL), 0);
    assert_false(is_mapped(start + 2 * page, page));
    assert_int_equal(rfi_page_remap(start, 2 * page, 8 * page, NULL), 0);
    assert_int_equal((unsigned char)start[2 * page - 1], 0xaa);
    assert_true(is_zero(start + 2 * page, 6 * page));

    /* A hole of two pages cannot take three. */
    unmap(start + 2 * page, 2 * page);
    assert_int_equal(rfi_page_remap(start, 2 * page, 5 * page, NULL), -ENOMEM);
    assert_int_equal((unsigned char)start[0], 0xaa);
    unmap(start, 8 * page);
}

static void
moves_onto_a_target(void **state)
{
    size_t page = rfi_page_size();
    char *start = map(2 * page, page, RFI_PAGE_READ_WRITE);
    char *target = map(4 * page, page, RFI_PAGE_NONE);

    (void)state;
    strcpy(start + page, "moved");
    assert_int_equal(rfi_page_remap(start, 2 * page, 3 * page, target), 0);
    assert_string_equal(target + page, "moved");
    assert_true(is_zero(target + 2 * page, page));
    assert_survives(read_byte, target + 3 * page, false);
    assert_false(is_mapped(start, 2 * page));
    unmap(target, 4 * page);
}

static void
advises_huge_pages_where_there_are_any(void **state)
{
    char *start = map(2 * MIB, 2 * MIB, RFI_PAGE_READ_WRITE);
    int saved = errno;
    bool known = access("/sys/kernel/mm/transparent_hugepage", F_OK) == 0;

    (void)state;
    errno = saved;
    assert_int_equal(rfi_page_advise_huge(start, 2 * MIB, true),
                     known ? 0 : -EINVAL);
    assert_int_equal(rfi_page_advise_huge(start, 2 * MIB, false),
                     known ? 0 : -EINVAL);
    start[0] = 1;
    unmap(start, 2 * MIB);
}

static void
fails_when_told_to(void **state)
{
    size_t page = rfi_page_size();
    char *start = map(page, page, RFI_PAGE_READ_WRITE);
    void *other = NULL;

    (void)state;
    strcpy(start, "kept");
    rfi_fail_arm(1, 100);
    assert_int_equal(rfi_page_map(&other, page, page, RFI_PAGE_NONE), -ENOMEM);
    assert_int_equal(rfi_page_protect(start, page, RFI_PAGE_NONE), -ENOMEM);
    assert_int_equal(rfi_page_purge(start, page), -ENOMEM);
    assert_int_equal(rfi_page_decommit(start, page), -ENOMEM);
    assert_int_equal(rfi_page_remap(start, page, 2 * page, NULL), -ENOMEM);
    assert_int_equal(rfi_page_remap(start, page, page, start), -ENOMEM);
    assert_int_equal(rfi_page_advise_huge(start, page, true), -ENOMEM);
    assert_int_equal(rfi_page_unmap(start, page), -ENOMEM);
    assert_int_equal(rfi_fail_calls(), 8);
    rfi_fail_arm(1, 0);
    assert_null(other);
    assert_string_equal(start, "kept");
    unmap(start, page);
}

/* An aligned mapping is up to five calls: map, unmap, map larger, trim twice.
 * When one that maps fails the caller is told; a failed trim only leaves
 * address space behind. */
static void
survives_each_failure_of_an_aligned_map(void **state)
{
    unsigned failures = 0;

    (void)state;
    for (uint64_t nth = 1; nth <= 6; nth++) {
        void *start = NULL;

        rfi_fail_arm(nth, 1);
        int error = rfi_page_map(&start, 64 * KIB, GIB, RFI_PAGE_READ_WRITE);
        rfi_fail_arm(1, 0);
        assert_true(error == 0 || error == -ENOMEM);
        failures += error != 0;
        if (error == 0) {
            assert_int_equal((uintptr_t)start % GIB, 0);
            memset(start, 0xaa, 64 * KIB);
            unmap(start, 64 * KIB);
        } else {
            assert_null(start);
        }
    }
    assert_true(failures >= 1 && failures <= 2);
}

#define page_test(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int
main(void)
{
    const struct CMUnitTest tests[] = {
        page_test(knows_the_page_size),
        page_test(maps_zeroed_usable_memory),
        page_test(maps_with_the_access_asked_for),
        page_test(maps_at_any_alignment),
        page_test(trims_what_alignment_needed),
        page_test(refuses_what_cannot_be),
        page_test(changes_access),
        page_test(purges_contents_and_residency),
        page_test(decommits_to_reserved_no_access),
        page_test(resizes_in_place_only_without_target),
        page_test(moves_onto_a_target),
        page_test(advises_huge_pages_where_there_are_any),
        page_test(fails_when_told_to),
        page_test(survives_each_failure_of_an_aligned_map),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
