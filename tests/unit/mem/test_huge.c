/* SPDX-License-Identifier: MIT
 *
 * Huge blocks: mappings of their own, alignment up to 1 GiB, addresses
 * inside of them, the cache, resizing by the kernel, and a kernel that
 * refuses.
 */
#include "mem/huge.h"

#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/config.h"
#include "core/lock.h"
#include "mem/directory.h"
#include "mem/huge_space.h"
#include "mem_test.h"
#include "os/page.h"
#include "os/process.h"

static rfi_span_t *
head_of(const void *block)
{
    rfi_span_t *head = rfi_directory_find_head(block);

    assert_non_null(head);
    assert_int_equal(head->kind, RFI_SPAN_HUGE);
    assert_ptr_equal(rfi_directory_address(head), block);
    return head;
}

static char *
alloc(size_t size, size_t align, bool zeroed)
{
    char *block = rfi_large_alloc(size, align, zeroed);

    assert_non_null(block);
    assert_int_equal((uintptr_t)block % align, 0);
    assert_true(rfi_large_usable(head_of(block)) >= size);
    return block;
}

static void
release(void *block)
{
    assert_true(rfi_large_free(head_of(block)));
}

static rfi_large_stats_t
stats(void)
{
    rfi_large_stats_t result;

    rfi_large_stats(&result);
    return result;
}

/* Asks the kernel by an advice that changes nothing. */
static bool
is_mapped(void *start, size_t size)
{
    return madvise(start, size, MADV_NORMAL) == 0;
}

static int
start_clean(void **state)
{
    (void)state;
    never_fail();
    rfi_config.dirty_decay_ms = 500;
    (void)rfi_huge_purge(0, true);
    return stats().huge_blocks == 0 && stats().huge_bytes == 0
            && stats().huge_cached_bytes == 0 && rfi_huge_audit() == 0
        ? 0
        : -1;
}

static void
is_found_from_inside(void **state)
{
    char *a = alloc(40 * MIB, 16, false);
    char *b = alloc(16 * MIB, 16, false);

    (void)state;
    for (size_t i = 0; i < 40 * MIB; i += 1 * MIB - 1) {
        assert_ptr_equal(rfi_huge_find(a + i), head_of(a));
    }
    assert_ptr_equal(rfi_huge_find(a + 40 * MIB - 1), head_of(a));
    assert_ptr_equal(rfi_huge_find(b), head_of(b));
    assert_null(rfi_huge_find(&a));
    assert_null(rfi_huge_find(NULL));
    /* Only the first granule is in the directory. */
    assert_null(rfi_directory_find_head(a + 64 * KIB));
    assert_sound();
    release(a);
    assert_null(rfi_huge_find(a));
    release(b);
}

static void
aligns_up_to_1_gib(void **state)
{
    (void)state;
    for (size_t align = 64 * KIB; align <= 1 * GIB; align *= 2) {
        char *small = alloc(align > 2 * MIB ? 1 : 20 * MIB, align, true);
        char *large = alloc(17 * MIB, align, false);

        small[0] = 1;
        large[17 * MIB - 1] = 1;
        assert_sound();
        release(small);
        release(large);
    }
    char *block = alloc(16 * MIB, 16, false);

    assert_int_equal((uintptr_t)block % (2 * MIB), 0);
    release(block);
}

static void
reuses_mappings(void **state)
{
    char *block = alloc(20 * MIB, 16, false);

    (void)state;
    memset(block, 0x33, 20 * MIB);
    release(block);
    assert_false(rfi_directory_find_head(block) != NULL);
    assert_int_equal(stats().huge_cached_bytes, 20 * MIB);
    count_calls();
    assert_ptr_equal(alloc(18 * MIB, 16, false), block);
    assert_int_equal(rfi_fail_calls(), 0);
    assert_int_equal(stats().huge_bytes, 20 * MIB);
    assert_int_equal(rfi_large_usable(head_of(block)), 18 * MIB);
    /* It may grow into what it has. */
    assert_ptr_equal(rfi_large_resize(head_of(block), 20 * MIB), block);
    assert_int_equal(rfi_fail_calls(), 0);
    never_fail();
    release(block);
    assert_ptr_equal(alloc(20 * MIB, 16, true), block);
    assert_true(is_all(block, 20 * MIB, 0));
    memset(block, 0x33, 20 * MIB);
    release(block);
    /* When the kernel will not drop the pages, they are cleared. */
    rfi_fail_arm(1, 1);
    assert_ptr_equal(alloc(20 * MIB, 16, true), block);
    never_fail();
    assert_true(is_all(block, 20 * MIB, 0));
    release(block);
    char *other = alloc(10 * MIB, 4 * MIB, false);

    assert_ptr_not_equal(other, block); /* too large for it */
    release(other);
    assert_sound();
}

static void
cache_is_bounded(void **state)
{
    char *blocks[8];

    (void)state;
    for (int i = 0; i < 8; i++) {
        blocks[i] = alloc(20 * MIB, 16, false);
    }
    for (int i = 0; i < 8; i++) {
        release(blocks[i]);
        assert_true(stats().huge_cached_bytes <= 64 * MIB);
    }
    assert_sound();
    assert_int_equal(stats().huge_cached_bytes, 60 * MIB);
    assert_false(is_mapped(blocks[0], 20 * MIB));
    /* Too large to be kept. */
    char *block = alloc(65 * MIB, 16, false);

    release(block);
    assert_false(is_mapped(block, 65 * MIB));
}

static void
cache_is_emptied_by_time(void **state)
{
    char *block = alloc(20 * MIB, 16, false);

    (void)state;
    release(block);
    uint64_t now_ms = rfi_process_clock_ms();

    assert_int_equal(rfi_huge_purge(now_ms, false), 0);
    assert_int_equal(rfi_huge_purge(now_ms + 500, false), 20 * MIB);
    assert_false(is_mapped(block, 20 * MIB));
    assert_int_equal(rfi_huge_purge(now_ms + 500, true), 0);

    rfi_config.dirty_decay_ms = 0;
    release(alloc(20 * MIB, 16, false));
    assert_int_equal(stats().huge_cached_bytes, 0);
    rfi_config.dirty_decay_ms = -1;
    release(alloc(20 * MIB, 16, false));
    assert_int_equal(rfi_huge_purge(now_ms + 3600000, false), 0);
    assert_int_equal(rfi_huge_purge(now_ms, true), 20 * MIB);
}

static void
grows_and_shrinks(void **state)
{
    char *block = alloc(17 * MIB, 16, false);
    size_t size = 17 * MIB;

    (void)state;
    for (size_t i = 0; i < size; i += 1 * MIB) {
        block[i] = (char)(i / MIB);
    }
    while (size < 600 * MIB) {
        size *= 2;
        block = rfi_large_resize(head_of(block), size);
        assert_non_null(block);
        assert_int_equal(rfi_large_usable(head_of(block)), size);
        assert_int_equal((uintptr_t)block % (2 * MIB), 0);
        assert_ptr_equal(rfi_huge_find(block + size - 1), head_of(block));
        assert_int_equal(block[size - 1], 0);
        assert_int_equal(stats().huge_blocks, 1);
        assert_int_equal(stats().huge_bytes, size);
        assert_sound();
    }
    assert_ptr_equal(rfi_large_resize(head_of(block), 17 * MIB + 1), block);
    assert_int_equal(stats().huge_bytes, 17 * MIB + 64 * KIB);
    assert_int_equal(rfi_large_usable(head_of(block)),
                     17 * MIB + rfi_page_size());
    assert_false(is_mapped(block + 17 * MIB + 64 * KIB, 64 * KIB));
    assert_ptr_equal(rfi_large_resize(head_of(block), 1 * MIB), block);
    for (size_t i = 0; i < 1 * MIB; i += 1 * MIB) {
        assert_int_equal(block[i], (char)(i / MIB));
    }
    assert_sound();
    release(block);
}

/* Another mapping right behind the block makes the kernel move it. */
static void
moves_when_it_must(void **state)
{
    char *block = alloc(20 * MIB, 16, false);
    char *behind = block + 20 * MIB;
    bool is_mine = mmap(behind, 4096, PROT_NONE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1,
                        0)
        == behind;

    (void)state;
    memset(block, 0x21, 20 * MIB);
    char *moved = rfi_large_resize(head_of(block), 40 * MIB);

    assert_non_null(moved);
    assert_ptr_not_equal(moved, block);
    assert_null(rfi_directory_find_head(block));
    assert_null(rfi_huge_find(block));
    assert_true(is_all(moved, 20 * MIB, 0x21));
    assert_true(is_all(moved + 20 * MIB, 20 * MIB, 0));
    assert_sound();
    release(moved);
    if (is_mine) {
        munmap(behind, 4096);
    }
}

/* Every call of a resize fails once, and all from each call on. */
static void
is_unchanged_when_a_resize_fails(void **state)
{
    (void)state;
    for (uint64_t n = 1; n < 30; n++) {
        char *block = alloc(20 * MIB, 16, false);

        memset(block, 0x44, 1 * MIB);
        rfi_fail_arm(n / 2 + 1, n % 2 == 0 ? 1 : FOR_EVER);
        char *resized = rfi_large_resize(head_of(block), 200 * MIB);

        never_fail();
        if (resized != NULL) {
            block = resized;
        } else {
            assert_int_equal(rfi_large_usable(head_of(block)), 20 * MIB);
        }
        assert_true(is_all(block, 1 * MIB, 0x44));
        assert_sound();
        rfi_fail_arm(1, n % 2 == 0 ? 1 : FOR_EVER);
        assert_ptr_equal(rfi_large_resize(head_of(block), 17 * MIB), block);
        never_fail();
        assert_int_equal(rfi_large_usable(head_of(block)), 17 * MIB);
        assert_true(is_all(block, 1 * MIB, 0x44));
        assert_sound();
        release(block);
        (void)rfi_huge_purge(0, true);
    }
}

static void
keeps_what_the_kernel_refuses(void **state)
{
    char *block = alloc(80 * MIB, 16, false);

    (void)state;
    memset(block, 1, 1 * MIB);
    rfi_fail_arm(1, 1); /* munmap; its pages can be dropped */
    release(block);
    never_fail();
    assert_int_equal(stats().huge_cached_bytes, 80 * MIB);
    assert_sound();
    assert_ptr_equal(alloc(80 * MIB, 16, true), block);
    assert_true(is_all(block, 2 * MIB, 0));
    rfi_fail_arm(1, FOR_EVER);
    memset(block, 1, 1 * MIB);
    release(block);
    assert_int_equal(rfi_huge_purge(0, true), 0);
    never_fail();
    assert_ptr_equal(alloc(80 * MIB, 16, true), block);
    assert_true(is_all(block, 2 * MIB, 0));
    release(block);
    assert_int_equal(rfi_huge_purge(0, true), 0);
    assert_false(is_mapped(block, 80 * MIB));
}

static void
says_when_memory_is_out(void **state)
{
    (void)state;
    for (uint64_t n = 1; n < 12; n++) {
        rfi_fail_arm(n, FOR_EVER);
        char *block = rfi_large_alloc(300 * MIB, 1 * GIB, true);

        never_fail();
        assert_sound();
        if (block != NULL) {
            release(block);
        }
        (void)rfi_huge_purge(0, true);
        assert_int_equal(stats().huge_cached_bytes, 0);
    }
    assert_null(rfi_large_alloc((size_t)1 << 47, 16, false));
}

static void
audit_finds_what_is_broken(void **state)
{
    rfi_huge_space_t *space = &rfi_huge_space;
    char *cached = alloc(30 * MIB, 16, false);
    char *block = alloc(20 * MIB, 16, false);
    rfi_span_t *head = head_of(block);

    (void)state;
    release(cached);
    assert_breaks(rfi_huge_audit, space->table.entries[0].size, 0, 1);
    assert_breaks(rfi_huge_audit, space->table.reserved, 1 << 20, 1);
    assert_breaks(rfi_huge_audit, space->table.entries[0].size, 1 * MIB, 2);
    assert_breaks(rfi_huge_audit, head->kind, RFI_SPAN_LARGE, 2);
    assert_breaks(rfi_huge_audit, head->mapping, block + 1, 2);
    assert_breaks(rfi_huge_audit, head->granules, 1, 2);
    assert_breaks(rfi_huge_audit, head->requested, 21 * MIB, 2);
    assert_breaks(rfi_huge_audit, space->blocks, 2, 3);
    assert_breaks(rfi_huge_audit, space->mapped_bytes, 1, 3);
    assert_breaks(rfi_huge_audit, space->cache.bytes, 1, 4);
    assert_breaks(rfi_huge_audit, space->cached_bytes, 1, 4);
    assert_breaks(rfi_huge_audit, space->cache.mappings[0].start,
                  block + 64 * KIB, 4);
    assert_breaks(rfi_huge_audit, rfi_directory_find(cached)->kind,
                  RFI_SPAN_SMALL, 4);
    release(block);
}

static void
works_after_fork(void **state)
{
    char *block = alloc(20 * MIB, 16, false);

    (void)state;
    rfi_huge_fork_prepare();
    pid_t child = fork();

    if (child == 0) {
        rfi_lock_forget_held();
        rfi_huge_fork_child();
        _exit(rfi_huge_find(block + 1 * MIB) != NULL
                      && rfi_large_free(rfi_directory_find_head(block))
                  ? 0
                  : 1);
    }
    rfi_huge_fork_parent();
    int status;

    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    release(block);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(is_found_from_inside, start_clean),
        cmocka_unit_test_setup(aligns_up_to_1_gib, start_clean),
        cmocka_unit_test_setup(reuses_mappings, start_clean),
        cmocka_unit_test_setup(cache_is_bounded, start_clean),
        cmocka_unit_test_setup(cache_is_emptied_by_time, start_clean),
        cmocka_unit_test_setup(grows_and_shrinks, start_clean),
        cmocka_unit_test_setup(moves_when_it_must, start_clean),
        cmocka_unit_test_setup(is_unchanged_when_a_resize_fails, start_clean),
        cmocka_unit_test_setup(keeps_what_the_kernel_refuses, start_clean),
        cmocka_unit_test_setup(says_when_memory_is_out, start_clean),
        cmocka_unit_test_setup(audit_finds_what_is_broken, start_clean),
        cmocka_unit_test_setup(works_after_fork, start_clean),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
