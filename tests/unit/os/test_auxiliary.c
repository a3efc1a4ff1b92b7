/* SPDX-License-Identifier: MIT
 *
 * The auxiliary vector is readable, and reading it leaves errno alone.
 */
#include "os/auxiliary.h"

#include <elf.h>
#include <unistd.h>

#include "support/test.h"

#define NO_SUCH_ENTRY 0x7fffffff

static void
reads_entries(void **state)
{
    (void)state;
    assert_int_equal(rfi_auxiliary_value(AT_PAGESZ), sysconf(_SC_PAGESIZE));
    assert_int_not_equal(rfi_auxiliary_value(AT_RANDOM), 0);
}

static void
gives_zero_and_keeps_errno_for_a_missing_entry(void **state)
{
    (void)state;
    errno = 1234;
    assert_int_equal(rfi_auxiliary_value(NO_SUCH_ENTRY), 0);
    assert_int_equal(errno, 1234);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_entries),
        cmocka_unit_test(gives_zero_and_keeps_errno_for_a_missing_entry),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
