/* SPDX-License-Identifier: MIT
 *
 * Functions of the vDSO are found by name, and are the right ones. Where the
 * process has no vDSO everything is "not found".
 */
#include "os/vdso.h"

#include <sys/auxv.h>
#include <time.h>

#include "support/test.h"

#if defined(__x86_64__)
#define CLOCK_NAME "__vdso_clock_gettime"
#else
#define CLOCK_NAME "__kernel_clock_gettime"
#endif

static void
finds_the_clock(void **state)
{
    int (*clock)(clockid_t, struct timespec *) =
        (int (*)(clockid_t, struct timespec *))rfi_vdso_find(CLOCK_NAME);
    struct timespec before;
    struct timespec ours;
    struct timespec after;

    (void)state;
    if (getauxval(AT_SYSINFO_EHDR) == 0) {
        assert_null(clock);
        skip();
    }
    assert_non_null(clock);
    clock_gettime(CLOCK_MONOTONIC, &before);
    assert_int_equal(clock(CLOCK_MONOTONIC, &ours), 0);
    clock_gettime(CLOCK_MONOTONIC, &after);
    assert_true(ours.tv_sec >= before.tv_sec);
    assert_true(ours.tv_sec <= after.tv_sec);
}

static void
does_not_find_what_is_not_there(void **state)
{
    (void)state;
    assert_null(rfi_vdso_find("__vdso_no_such_function"));
    assert_null(rfi_vdso_find("__vdso_clock_gettim"));
    assert_null(rfi_vdso_find("__vdso_clock_gettime_"));
    assert_null(rfi_vdso_find(""));
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_the_clock),
        cmocka_unit_test(does_not_find_what_is_not_there),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
