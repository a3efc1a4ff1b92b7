/* SPDX-License-Identifier: MIT
 *
 * Sources and their order, strictness, set-uid programs, options at run time,
 * the listing. What depends on the start of a process is tested in one of its
 * own: this program executes itself.
 */
#include "api/options.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/config.h"
#include "support/child.h"
#include "support/self.h"
#include "support/test.h"

const char *__ringfence_default_options(void);

/* What a program brings along; this one lets its tests choose. */
const char *
__ringfence_default_options(void)
{
    return getenv("RF_TEST_PROGRAM");
}

static int
load_and_print(void)
{
    errno = 1234;
    int mistakes = rfi_options_load();

    if (errno != 1234) {
        return 100;
    }
    dprintf(STDERR_FILENO, "verbosity=%d unowned=%d strict=%d",
            (int)rfi_config_get(verbosity), (int)rfi_config_get(unowned),
            (int)rfi_config_get(strict_options));
    return mistakes;
}

static void
assert_loads(const char *const environment[], int status, const char *expected)
{
    const char *arguments[] = {self_path(), "load", NULL};
    child_t child;

    child_execute(&child, arguments, environment);
    assert_int_equal(child.exit_status, status);
    assert_string_equal(child.text, expected);
}

static void
has_defaults_without_any_source(void **state)
{
    const char *environment[] = {NULL};
    const char *empty[] = {
        "RINGFENCE_OPTIONS=", "RINGFENCE_MODE=", "RF_TEST_PROGRAM=", NULL};

    (void)state;
    assert_loads(environment, 0, "verbosity=0 unowned=0 strict=0");
    assert_loads(empty, 0, "verbosity=0 unowned=0 strict=0");
}

static void
variable_overrides_program(void **state)
{
    const char *environment[] = {"RF_TEST_PROGRAM=verbosity=1:unowned=ignore",
                                 "RINGFENCE_OPTIONS=verbosity=2",
                                 "RINGFENCE_MODE=release", NULL};

    (void)state;
    assert_loads(environment, 0, "verbosity=2 unowned=1 strict=0");
}

static void
mode_variable_is_read(void **state)
{
    const char *environment[] = {"RINGFENCE_MODE=hardened", NULL};

    (void)state;
    assert_loads(environment, 1,
                 "ringfence: mode 'hardened' is not in this version; running "
                 "in mode release\n"
                 "verbosity=0 unowned=0 strict=0");
}

static void
strict_options_make_mistakes_fatal(void **state)
{
    const char *one[] = {"RINGFENCE_OPTIONS=strict_options=1:verbosety=1",
                         NULL};
    const char *weaker_source[] = {"RF_TEST_PROGRAM=a=1:thp=x",
                                   "RINGFENCE_OPTIONS=strict_options=1", NULL};
    const char *none[] = {"RINGFENCE_OPTIONS=strict_options=1:verbosity=1",
                          NULL};

    (void)state;
    assert_loads(one, 1,
                 "ringfence: RINGFENCE_OPTIONS: unknown option 'verbosety': "
                 "did you mean 'verbosity'?\n"
                 "ringfence: strict_options: giving up after 1 mistake\n");
    assert_loads(weaker_source, 1,
                 "ringfence: __ringfence_default_options(): unknown option "
                 "'a'; help=1 lists all\n"
                 "ringfence: __ringfence_default_options(): 'x' is no value "
                 "for thp, which takes default|always|never\n"
                 "ringfence: strict_options: giving up after 2 mistakes\n");
    assert_loads(none, 0, "verbosity=1 unowned=0 strict=1");
}

static void
set_uid_programs_take_only_strength_from_outside(void **state)
{
    const char *environment[] = {
        "RINGFENCE_OPTIONS=unowned=ignore:verbosity=3:strict_options=1", NULL};
    const char *strength[] = {"RF_TEST_PROGRAM=unowned=forward:verbosity=2",
                              "RINGFENCE_OPTIONS=unowned=abort:verbosity=3",
                              NULL};
    child_t child;

    (void)state;
    if (!self_execute_set_uid(&child, "load", environment)) {
        skip();
    }
    assert_string_equal(child.text, "verbosity=0 unowned=0 strict=1");
    assert_true(self_execute_set_uid(&child, "load", strength));
    assert_string_equal(child.text, "verbosity=2 unowned=0 strict=0");
}

static void
says_when_the_environment_was_cut(void **state)
{
    static char large[40000];
    const char *arguments[] = {self_path(), "load-early", NULL};
    const char *environment[] = {large, "RINGFENCE_OPTIONS=verbosity=3", NULL};
    child_t child;

    (void)state;
    memset(large, 'x', sizeof(large) - 1);
    child_execute(&child, arguments, environment);
    assert_string_equal(child.text,
                        "ringfence: the environment is too large to be read "
                        "this early; options in it may have been missed\n"
                        "verbosity=0 unowned=0 strict=0");
}

static void
help_lists_all_at_start(void **state)
{
    const char *arguments[] = {self_path(), "load", NULL};
    const char *environment[] = {"RINGFENCE_OPTIONS=help=1:verbosity=2", NULL};
    child_t child;

    (void)state;
    child_execute(&child, arguments, environment);
    assert_int_equal(child.exit_status, 0);
    assert_non_null(strstr(child.text, "Options of ringfence"));
    assert_non_null(strstr(child.text,
                           "  verbosity=2 (0 to 3; default 0; run time)\n"
                           "      0 prints faults and warnings only; higher "
                           "levels tell more.\n"));
    assert_non_null(strstr(child.text,
                           "  unowned=abort (abort|ignore|forward; default "
                           "abort)\n"));
    for (const char *line = child.text; line != NULL;
         line = strchr(line + 1, '\n')) {
        assert_true(strcspn(line + 1, "\n") <= 80);
    }
}

static void
gets_values(void **state)
{
    int64_t value = 0;

    (void)state;
    errno = 1234;
    assert_int_equal(rfi_options_get("dirty_decay_ms", &value), 0);
    assert_int_equal(value, 500);
    assert_int_equal(rfi_options_get("abort_on_error", &value), 0);
    assert_int_equal(value, 1);
    assert_int_equal(rfi_options_get("no_such", &value), -ENOENT);
    assert_int_equal(value, 1);
    assert_int_equal(errno, 1234);
}

static void
sets_what_may_change(void **state)
{
    int64_t value = 0;

    (void)state;
    assert_int_equal(rfi_options_set("dirty_decay_ms", 0), 0);
    assert_int_equal(rfi_config_get(dirty_decay_ms), 0);
    assert_int_equal(rfi_options_set_text("dirty_decay_ms", "250"), 0);
    assert_int_equal(rfi_options_get("dirty_decay_ms", &value), 0);
    assert_int_equal(value, 250);
    rfi_config.dirty_decay_ms = 500;
}

static void
refuses_to_set_the_rest(void **state)
{
    (void)state;
    assert_int_equal(rfi_options_set("no_such", 1), -ENOENT);
    assert_int_equal(rfi_options_set_text("no_such", "1"), -ENOENT);
    assert_int_equal(rfi_options_set("thp", 1), -EPERM);
    assert_int_equal(rfi_options_set_text("thp", "always"), -EPERM);
    assert_int_equal(rfi_options_set_text("thp", "nonsense"), -EPERM);
    assert_int_equal(rfi_options_set("verbosity", 4), -EINVAL);
    assert_int_equal(rfi_options_set("dirty_decay_ms", -2), -EINVAL);
    assert_int_equal(rfi_options_set_text("verbosity", "much"), -EINVAL);
    assert_int_equal(rfi_config_get(thp), RFI_THP_DEFAULT);
    assert_int_equal(rfi_config_get(verbosity), 0);
    assert_int_equal(rfi_config_get(dirty_decay_ms), 500);
}

int
main(int argc, char *argv[])
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(has_defaults_without_any_source),
        cmocka_unit_test(variable_overrides_program),
        cmocka_unit_test(mode_variable_is_read),
        cmocka_unit_test(strict_options_make_mistakes_fatal),
        cmocka_unit_test(set_uid_programs_take_only_strength_from_outside),
        cmocka_unit_test(says_when_the_environment_was_cut),
        cmocka_unit_test(help_lists_all_at_start),
        cmocka_unit_test(gets_values),
        cmocka_unit_test(sets_what_may_change),
        cmocka_unit_test(refuses_to_set_the_rest),
    };

    if (argc > 1) {
        if (strcmp(argv[1], "load-early") == 0) {
            environ = NULL;
        }
        return load_and_print();
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
