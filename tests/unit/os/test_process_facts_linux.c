/* SPDX-License-Identifier: MIT
 *
 * Facts of the start. Most need a process of their own that was started in a
 * certain way: this program executes itself with one argument, the fact to
 * print.
 */
#include "os/process.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "support/child.h"
#include "support/self.h"
#include "support/test.h"

#define NAME "RF_TEST_VARIABLE"

static void
print_text(const char *text)
{
    text = text == NULL ? "(none)" : text;
    rfi_process_write(STDERR_FILENO, text, strlen(text));
}

/* What the executed program does; it runs before libc's environment is used
 * when told to forget it. */
static int
print_fact(const char *fact)
{
    if (strncmp(fact, "kernel-", 7) == 0) {
        environ = NULL;
        fact += 7;
    }
    if (strcmp(fact, "variable") == 0) {
        print_text(rfi_process_environment(NAME));
    } else if (strcmp(fact, "cut") == 0) {
        print_text(rfi_process_environment(NAME));
        print_text(rfi_process_environment_is_cut() ? " cut" : " whole");
    } else if (strcmp(fact, "executable") == 0) {
        print_text(rfi_process_executable());
    } else if (strcmp(fact, "secure") == 0) {
        print_text(rfi_process_is_secure() ? "secure" : "plain");
    }
    return 0;
}

static void
assert_fact(const char *fact, const char *const environment[],
            const char *expected)
{
    const char *arguments[] = {self_path(), fact, NULL};
    child_t child;

    child_execute(&child, arguments, environment);
    assert_int_equal(child.exit_status, 0);
    assert_string_equal(child.text, expected);
}

static void
finds_a_variable_among_similar_names(void **state)
{
    const char *environment[] = {
        "A=1",         "RF_TEST_VARIABL=short", NAME "S=long", "x" NAME "=0",
        NAME "=right", NAME "=second",          NULL,
    };

    (void)state;
    assert_fact("variable", environment, "right");
    assert_fact("kernel-variable", environment, "right");
}

static void
tells_empty_from_missing(void **state)
{
    const char *empty[] = {NAME "=", NULL};
    const char *no_value[] = {NAME, NULL};
    const char *missing[] = {"A=1", NULL};
    const char *nothing[] = {NULL};

    (void)state;
    assert_fact("variable", empty, "");
    assert_fact("kernel-variable", empty, "");
    assert_fact("variable", no_value, "(none)");
    assert_fact("kernel-variable", no_value, "(none)");
    assert_fact("variable", missing, "(none)");
    assert_fact("kernel-variable", missing, "(none)");
    assert_fact("kernel-variable", nothing, "(none)");
}

static void
says_when_the_environment_was_cut(void **state)
{
    static char large[40000];
    const char *environment[] = {NAME "=early", large, "LATE=1", NULL};
    const char *late[] = {large, NAME "=late", NULL};

    (void)state;
    memset(large, 'x', sizeof(large) - 1);
    large[1] = '=';
    assert_fact("kernel-cut", environment, "early cut");
    assert_fact("kernel-cut", late, "(none) cut");
    large[1000] = '\0';
    assert_fact("kernel-cut", late, "late whole");
    assert_fact("cut", late, "late whole");
}

static void
reads_the_environment_of_now(void **state)
{
    (void)state;
    unsetenv(NAME);
    errno = 1234;
    assert_null(rfi_process_environment(NAME));
    setenv(NAME, "set", 1);
    assert_string_equal(rfi_process_environment(NAME), "set");
    assert_false(rfi_process_environment_is_cut());
    assert_int_equal(errno, 1234);
}

static void
knows_how_it_was_executed(void **state)
{
    const char *nothing[] = {NULL};

    (void)state;
    assert_fact("executable", nothing, self_path());
}

static void
knows_whether_privileges_were_raised(void **state)
{
    const char *nothing[] = {NULL};
    child_t child;

    (void)state;
    assert_fact("secure", nothing, "plain");
    if (!self_execute_set_uid(&child, "secure", nothing)) {
        skip();
    }
    assert_string_equal(child.text, "secure");
}

static void
reads_the_overcommit_policy(void **state)
{
    FILE *file = fopen("/proc/sys/vm/overcommit_memory", "r");
    int expected = 0;

    (void)state;
    if (file != NULL) {
        assert_int_equal(fscanf(file, "%d", &expected), 1);
        fclose(file);
    }
    assert_int_equal(rfi_process_overcommit(), expected);
}

int
main(int argc, char *argv[])
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_a_variable_among_similar_names),
        cmocka_unit_test(tells_empty_from_missing),
        cmocka_unit_test(says_when_the_environment_was_cut),
        cmocka_unit_test(reads_the_environment_of_now),
        cmocka_unit_test(knows_how_it_was_executed),
        cmocka_unit_test(knows_whether_privileges_were_raised),
        cmocka_unit_test(reads_the_overcommit_policy),
    };

    if (argc > 1) {
        return print_fact(argv[1]);
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
