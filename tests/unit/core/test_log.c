/* SPDX-License-Identifier: MIT
 *
 * Lines: prefix, newline, cut, verbosity, one write each, errno; and failed
 * assertions once they may be printed.
 */
#include "core/log.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/assert.h"
#include "core/config.h"
#include "support/child.h"
#include "support/test.h"

static void
warn(void *argument)
{
    (void)argument;
    errno = 1234;
    rfi_log_warning("%d pages of %s", 3, "memory");
    rfi_log_warning("second");
    if (errno != 1234) {
        _exit(1);
    }
}

static void
prints_lines_with_prefix(void **state)
{
    child_t child;

    (void)state;
    child_run(&child, warn, NULL);
    assert_int_equal(child.exit_status, 0);
    assert_string_equal(child.text, "ringfence: 3 pages of memory\n"
                                    "ringfence: second\n");
}

static void
warn_at_length(void *argument)
{
    char text[2000];

    (void)argument;
    memset(text, 'x', sizeof(text));
    rfi_log_warning("%.*s", (int)sizeof(text), text);
    rfi_log_warning("next");
}

static void
cuts_long_lines_but_ends_them(void **state)
{
    child_t child;

    (void)state;
    child_run(&child, warn_at_length, NULL);

    char *newline = strchr(child.text, '\n');

    assert_non_null(newline);
    assert_int_equal(newline - child.text, 511);
    assert_string_equal(newline, "\nringfence: next\n");
}

static void
tell_all_levels(void *argument)
{
    rfi_config.verbosity = *(int *)argument;
    rfi_log_info(0, "zero");
    rfi_log_info(1, "one");
    rfi_log_info(3, "three");
}

static void
assert_told(int verbosity, const char *expected)
{
    child_t child;

    child_run(&child, tell_all_levels, &verbosity);
    assert_string_equal(child.text, expected);
}

static void
tells_as_much_as_verbosity_wants(void **state)
{
    (void)state;
    assert_told(0, "ringfence: zero\n");
    assert_told(1, "ringfence: zero\nringfence: one\n");
    assert_told(2, "ringfence: zero\nringfence: one\n");
    assert_told(3, "ringfence: zero\nringfence: one\nringfence: three\n");
}

/* A packet pipe keeps the borders between writes. */
static void
writes_a_line_at_once(void **state)
{
    int ends[2];
    char packet[600];
    int saved = dup(STDERR_FILENO);

    (void)state;
    if (pipe2(ends, O_DIRECT) != 0) {
        skip();
    }
    dup2(ends[1], STDERR_FILENO);
    rfi_log_warning("%s and %s", "one", "two");
    dup2(saved, STDERR_FILENO);
    assert_int_equal(read(ends[0], packet, sizeof(packet)), 23);
    assert_memory_equal(packet, "ringfence: one and two\n", 23);
    close(saved);
    close(ends[0]);
    close(ends[1]);
}

static void
warn_without_stderr(void *argument)
{
    close(STDERR_FILENO);
    warn(argument);
}

static void
survives_a_closed_stderr(void **state)
{
    child_t child;

    (void)state;
    child_run(&child, warn_without_stderr, NULL);
    assert_int_equal(child.exit_status, 0);
    assert_int_equal(child.count, 0);
}

static void
fail_an_assertion(void *argument)
{
    (void)argument;
    rfi_log_start();
    rfi_assert_failed("spans == 1", "span.c", 42);
}

static void
prints_failed_assertions_and_aborts(void **state)
{
    child_t child;

    (void)state;
    child_run(&child, fail_an_assertion, NULL);
    assert_int_equal(child.signal, SIGABRT);
    assert_string_equal(child.text,
                        "ringfence: internal-error: assertion spans == 1 "
                        "failed at span.c:42\n");
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(prints_lines_with_prefix),
        cmocka_unit_test(cuts_long_lines_but_ends_them),
        cmocka_unit_test(tells_as_much_as_verbosity_wants),
        cmocka_unit_test(writes_a_line_at_once),
        cmocka_unit_test(survives_a_closed_stderr),
        cmocka_unit_test(prints_failed_assertions_and_aborts),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
