/* SPDX-License-Identifier: MIT
 *
 * rf_option_get and rf_option_set, and the program's own default options,
 * which this program has.
 */
#include <errno.h>
#include <ringfence/ringfence.h>
#include <stdio.h>
#include <string.h>

#include "support/child.h"
#include "support/self.h"
#include "support/test.h"

static const char *
value_of(const char *key)
{
    static char value[RF_OPTION_VALUE_MAX];

    assert_int_equal(rf_option_get(key, value, sizeof(value)), 0);
    return value;
}

static void
reads_values_as_text(void **state)
{
    (void)state;
    assert_string_equal(value_of("mode"), "release");
    assert_string_equal(value_of("unowned"), "abort");
    assert_string_equal(value_of("thp"), "default");
    assert_string_equal(value_of("print_stats"), "0");
}

static void
changes_what_may_change(void **state)
{
    (void)state;
    assert_int_equal(rf_option_set("dirty_decay_ms", "0"), 0);
    assert_string_equal(value_of("dirty_decay_ms"), "0");
    assert_int_equal(rf_option_set("dirty_decay_ms", "-1"), 0);
    assert_string_equal(value_of("dirty_decay_ms"), "-1");
    assert_int_equal(rf_option_set("verbosity", "3"), 0);
    assert_string_equal(value_of("verbosity"), "3");
    assert_int_equal(rf_option_set("verbosity", "0"), 0);
}

static void
expect_refused(const char *key, const char *value, int error)
{
    errno = 0;
    assert_int_equal(rf_option_set(key, value), -1);
    assert_int_equal(errno, error);
}

static void
refuses_the_rest(void **state)
{
    char value[4] = "abc";

    (void)state;
    expect_refused("no_such_option", "1", ENOENT);
    expect_refused("", "1", ENOENT);
    expect_refused("unowned", "ignore", EPERM);
    expect_refused("mode", "release", EPERM);
    expect_refused("print_stats", "1", EPERM);
    expect_refused("dirty_decay_ms", "soon", EINVAL);
    expect_refused("dirty_decay_ms", "-2", EINVAL);
    expect_refused("verbosity", "4", EINVAL);
    expect_refused("verbosity", "", EINVAL);
    errno = 0;
    assert_int_equal(rf_option_get("no_such_option", value, 4), -1);
    assert_int_equal(errno, ENOENT);
    errno = 0;
    assert_int_equal(rf_option_get("mode", value, 4), -1);
    assert_int_equal(errno, ERANGE);
    assert_string_equal(value, "abc");
    assert_int_equal(rf_option_get("mode", NULL, 0), -1);
}

/* Prints the value of an option, asked for before anything is allocated. */
static int
show(const char *key)
{
    char value[RF_OPTION_VALUE_MAX];

    if (rf_option_get(key, value, sizeof(value)) != 0) {
        return 1;
    }
    (void)fprintf(stderr, "%s", value);
    return 0;
}

static void
expect_shown(const char *key, const char *variable, const char *expected)
{
    const char *const arguments[] = {self_path(), key, NULL};
    const char *const environment[] = {variable, NULL};
    child_t child;

    child_execute(&child, arguments, environment);
    assert_int_equal(child.exit_status, 0);
    assert_string_equal(child.text, expected);
}

static void
sources_have_an_order(void **state)
{
    (void)state;
    /* The program's own, and the environment over it. */
    expect_shown("dirty_decay_ms", "UNRELATED=1", "123");
    expect_shown("dirty_decay_ms", "RINGFENCE_OPTIONS=dirty_decay_ms=7",
                 "7");
    expect_shown("dirty_decay_ms", "RINGFENCE_OPTIONS=unowned=ignore", "123");
    expect_shown("unowned", "RINGFENCE_OPTIONS=unowned=ignore", "ignore");
}

const char *
__ringfence_default_options(void)
{
    return "dirty_decay_ms=123";
}

int
main(int count, char **arguments)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_values_as_text),
        cmocka_unit_test(changes_what_may_change),
        cmocka_unit_test(refuses_the_rest),
        cmocka_unit_test(sources_have_an_order),
    };

    if (count > 1) {
        return show(arguments[1]);
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
