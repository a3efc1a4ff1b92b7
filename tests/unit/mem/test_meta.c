/* SPDX-License-Identifier: MIT
 *
 * Metadata: zeroed, aligned, apart from each other, fenced by no-access
 * pages, and NULL when the system has no memory.
 */
#include "mem/meta.h"

#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/lock.h"
#include "mem_test.h"
#include "os/page.h"
#include "support/child.h"

static void
is_zeroed_and_aligned(void **state)
{
    static const size_t sizes[] = {1, 8, 100, 4096, 5000, 70 * KIB, 1 * MIB};

    (void)state;
    for (size_t align = 1; align <= rfi_page_size(); align *= 2) {
        for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
            char *block = rfi_meta_alloc(sizes[i], align);

            assert_non_null(block);
            assert_int_equal((uintptr_t)block % align, 0);
            assert_true(is_all(block, sizes[i], 0));
            memset(block, 0x5a, sizes[i]);
        }
    }
}

static void
blocks_do_not_overlap(void **state)
{
    enum { BLOCKS = 2000 };
    static char *blocks[BLOCKS];

    (void)state;
    for (int i = 0; i < BLOCKS; i++) {
        blocks[i] = rfi_meta_alloc(300, 8);
        assert_non_null(blocks[i]);
        memset(blocks[i], i & 0x7f, 300);
    }
    for (int i = 0; i < BLOCKS; i++) {
        assert_true(is_all(blocks[i], 300, (char)(i & 0x7f)));
    }
    assert_true(rfi_meta_mapped() >= BLOCKS * 300);
}

static void
read_byte(void *address)
{
    (void)*(volatile char *)address;
}

static void
regions_have_guards(void **state)
{
    char *block = rfi_meta_alloc(1 * MIB, 8); /* a region of its own */
    child_t child;

    (void)state;
    child_run(&child, read_byte, block);
    assert_int_equal(child.signal, 0);
    child_run(&child, read_byte, block + 1 * MIB);
    assert_int_equal(child.signal, SIGSEGV);
    child_run(&child, read_byte, block - 1);
    assert_int_equal(child.signal, SIGSEGV);
}

/* Whatever call fails: NULL or a block, and the next request is served. */
static void
survives_failing_calls(void **state)
{
    (void)state;
    for (uint64_t first = 1; first < 20; first++) {
        rfi_fail_arm(first, 1);
        for (int i = 0; i < 3; i++) {
            char *block = rfi_meta_alloc(60 * KIB, 8);

            if (block != NULL) {
                memset(block, 1, 60 * KIB);
            }
        }
        never_fail();
        assert_non_null(rfi_meta_alloc(60 * KIB, 8));
    }
    rfi_fail_arm(1, FOR_EVER);
    assert_null(rfi_meta_alloc(1 * MIB, 8));
    never_fail();
    assert_null(rfi_meta_alloc(SIZE_MAX - 10, 8));
}

static void
works_after_fork(void **state)
{
    (void)state;
    rfi_meta_fork_prepare();
    pid_t child = fork();

    if (child == 0) {
        rfi_lock_forget_held();
        rfi_meta_fork_child();
        _exit(rfi_meta_alloc(16, 16) != NULL ? 0 : 1);
    }
    rfi_meta_fork_parent();
    int status;

    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    assert_non_null(rfi_meta_alloc(16, 16));
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(is_zeroed_and_aligned),
        cmocka_unit_test(blocks_do_not_overlap),
        cmocka_unit_test(regions_have_guards),
        cmocka_unit_test(survives_failing_calls),
        cmocka_unit_test(works_after_fork),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
