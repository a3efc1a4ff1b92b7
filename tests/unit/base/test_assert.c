/* SPDX-License-Identifier: MIT
 *
 * Assertions: what is evaluated, what the sink is told, how the process ends.
 */
#include "base/assert.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "support/child.h"
#include "support/test.h"

static void
print_and_return(const char *expression, const char *file, int line)
{
    dprintf(STDERR_FILENO, "<%s|%s|%d>", expression, file, line);
}

static void
fail_without_sink(void *argument)
{
    (void)argument;
    rfi_assert_failed("a == b", "file.c", 7);
}

static void
fail_with_sink(void *argument)
{
    rfi_assert_set_sink(print_and_return);
    fail_without_sink(argument);
}

static void
assert_something_false(void *argument)
{
    rfi_assert_set_sink(print_and_return);
    rfi_assert(argument != NULL);
}

/* __builtin_trap is ud2 on x86-64 and brk on aarch64. */
static void
assert_trapped(const child_t *child)
{
    assert_true(child->signal == SIGILL || child->signal == SIGTRAP);
}

static void
traps_without_sink(void **state)
{
    child_t child;

    (void)state;
    child_run(&child, fail_without_sink, NULL);
    assert_trapped(&child);
    assert_string_equal(child.text, "");
}

static void
tells_the_sink_and_traps(void **state)
{
    child_t child;

    (void)state;
    child_run(&child, fail_with_sink, NULL);
    assert_trapped(&child);
    assert_string_equal(child.text, "<a == b|file.c|7>");
}

static void
is_compiled_in_only_when_asked_for(void **state)
{
    child_t child;

    (void)state;
    child_run(&child, assert_something_false, NULL);
    if (RFI_ASSERTING) {
        assert_trapped(&child);
        assert_non_null(strstr(child.text, "<argument != NULL|"));
        assert_non_null(strstr(child.text, "test_assert.c|"));
    } else {
        assert_int_equal(child.exit_status, 0);
        assert_string_equal(child.text, "");
    }
}

static void
evaluates_nothing_in_release(void **state)
{
    int evaluations = 0;

    (void)state;
    rfi_assert(++evaluations == 1);
    assert_int_equal(evaluations, RFI_ASSERTING);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(traps_without_sink),
        cmocka_unit_test(tells_the_sink_and_traps),
        cmocka_unit_test(is_compiled_in_only_when_asked_for),
        cmocka_unit_test(evaluates_nothing_in_release),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
