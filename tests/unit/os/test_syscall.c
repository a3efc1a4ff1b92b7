/* SPDX-License-Identifier: MIT
 *
 * Raw system calls: all six arguments arrive, errors come back as -errno and
 * errno is left alone.
 */
#include "os/syscall.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "support/test.h"

static void
returns_results(void **state)
{
    (void)state;
    assert_int_equal(rfi_syscall3(SYS_getpid, 0, 0, 0), getpid());
}

static void
returns_negative_errno_and_keeps_errno(void **state)
{
    (void)state;
    errno = 1234;
    assert_int_equal(rfi_syscall3(SYS_close, -1, 0, 0), -EBADF);
    assert_int_equal(errno, 1234);
}

/* mmap uses all six: the file offset is the last. */
static void
passes_six_arguments(void **state)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    int fd = memfd_create("six", 0);

    (void)state;
    assert_true(fd >= 0);
    assert_int_equal(pwrite(fd, "second", 7, (off_t)page), 7);

    long address = rfi_syscall6(SYS_mmap, 0, (long)page, PROT_READ, MAP_PRIVATE,
                                fd, (long)page);

    assert_true(address > 0);
    assert_string_equal((const char *)address, "second");
    munmap((void *)address, page);
    close(fd);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(returns_results),
        cmocka_unit_test(returns_negative_errno_and_keeps_errno),
        cmocka_unit_test(passes_six_arguments),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
