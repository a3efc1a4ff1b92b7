/* SPDX-License-Identifier: MIT
 *
 * The rule file: which lines apply to which program, what a set-uid program
 * takes from it, and files that are no such thing.
 */
#include "api/options.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/config.h"
#include "os/fail.h"
#include "support/child.h"
#include "support/test.h"

typedef struct input {
    const char *path;
    const char *executable;
    bool secure;
} input_t;

static void
read_and_print(void *argument)
{
    const input_t *input = argument;
    int mistakes =
        rfi_options_read_rules(input->path, input->executable, input->secure);

    dprintf(STDERR_FILENO, "verbosity=%d unowned=%d",
            (int)rfi_config_get(verbosity), (int)rfi_config_get(unowned));
    _exit(mistakes);
}

static void
assert_rules(const char *rules, const char *executable, bool secure,
             int mistakes, const char *expected)
{
    char path[] = "/tmp/ringfence-test-XXXXXX";
    int fd = mkstemp(path);
    input_t input = {path, executable, secure};
    child_t child;

    assert_true(fd >= 0);
    assert_int_equal(write(fd, rules, strlen(rules)), strlen(rules));
    close(fd);
    child_run(&child, read_and_print, &input);
    unlink(path);
    assert_int_equal(child.exit_status, mistakes);
    assert_string_equal(child.text, expected);
}

static void
applies_lines_for_the_program(void **state)
{
    const char *rules = "# a comment: verbosity=3\n"
                        "\n"
                        "*: verbosity=1\n"
                        "  server : verbosity=2:unowned=ignore \n"
                        "/opt/other/server: verbosity=3\n"
                        "client:unowned=forward";

    (void)state;
    assert_rules(rules, "/usr/bin/server", false, 0, "verbosity=2 unowned=1");
    assert_rules(rules, "server", false, 0, "verbosity=2 unowned=1");
    assert_rules(rules, "/opt/other/server", false, 0, "verbosity=3 unowned=1");
    assert_rules(rules, "./client", false, 0, "verbosity=1 unowned=2");
    assert_rules(rules, "/bin/myserver", false, 0, "verbosity=1 unowned=0");
    assert_rules(rules, "/bin/server/x", false, 0, "verbosity=1 unowned=0");
    assert_rules(rules, "", false, 0, "verbosity=1 unowned=0");
}

static void
distrusts_names_in_set_uid_programs(void **state)
{
    (void)state;
    assert_rules("su: verbosity=3\n", "/bin/su", true, 0,
                 "verbosity=0 unowned=0");
    assert_rules("/bin/su: verbosity=3\n", "/bin/su", true, 0,
                 "verbosity=3 unowned=0");
    assert_rules("*: unowned=forward\nsu: unowned=abort\n", "/bin/su", true, 0,
                 "verbosity=0 unowned=0");
}

static void
names_mistakes(void **state)
{
    (void)state;
    assert_rules("no colon here\n*: verbosity=1\n", "/bin/x", false, 1,
                 "ringfence: /etc/ringfence.conf: no ':' in line 'no colon "
                 "here'\nverbosity=1 unowned=0");
    assert_rules("x: verbosity=9\ny: verbosity=8\n", "/bin/x", false, 1,
                 "ringfence: /etc/ringfence.conf: '9' is no value for "
                 "verbosity, which takes 0 to 3\nverbosity=0 unowned=0");
}

static void
takes_odd_files(void **state)
{
    static char large[70000];

    (void)state;
    assert_rules("", "/bin/x", false, 0, "verbosity=0 unowned=0");
    assert_rules("*:\n:\n", "/bin/x", false, 0, "verbosity=0 unowned=0");
    assert_rules("*: verbosity=1\r\n", "/bin/x", false, 0,
                 "verbosity=1 unowned=0");

    memset(large, '#', sizeof(large) - 1);
    memcpy(large, "*: verbosity=1\n", 15);

    char path[] = "/tmp/ringfence-test-XXXXXX";
    int fd = mkstemp(path);
    input_t input = {path, "/bin/x", false};
    child_t child;

    assert_int_equal(write(fd, large, sizeof(large)), sizeof(large));
    close(fd);
    child_run(&child, read_and_print, &input);
    unlink(path);
    assert_int_equal(child.exit_status, 1);
    assert_non_null(strstr(child.text, "only the first 64 KiB are read"));
    assert_non_null(strstr(child.text, "verbosity=1"));
}

static void
takes_no_file(void **state)
{
    input_t input = {"/no/such/file", "/bin/x", false};
    child_t child;

    (void)state;
    child_run(&child, read_and_print, &input);
    assert_int_equal(child.exit_status, 0);
    assert_string_equal(child.text, "verbosity=0 unowned=0");
    input.path = "/";
    child_run(&child, read_and_print, &input);
    assert_int_equal(child.exit_status, 0);
    assert_string_equal(child.text, "verbosity=0 unowned=0");
}

static void
starts_without_rules_when_out_of_memory(void **state)
{
    (void)state;
    for (uint64_t nth = 1; nth <= 2; nth++) {
        rfi_fail_arm(nth, 1);
        assert_rules("*: verbosity=1\n", "/bin/x", false, 0,
                     nth == 1 ? "verbosity=0 unowned=0"
                              : "verbosity=1 unowned=0");
    }
    rfi_fail_arm(1, 0);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(applies_lines_for_the_program),
        cmocka_unit_test(distrusts_names_in_set_uid_programs),
        cmocka_unit_test(names_mistakes),
        cmocka_unit_test(takes_odd_files),
        cmocka_unit_test(takes_no_file),
        cmocka_unit_test(starts_without_rules_when_out_of_memory),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
