/* SPDX-License-Identifier: MIT
 *
 * The syntax of options, and each kind of mistake with its exact line. Every
 * text is parsed in a child of its own, which then prints what was set.
 */
#include "api/options.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/config.h"
#include "support/child.h"
#include "support/test.h"

typedef struct input {
    const char *text;
    rfi_options_source_t source;
    bool strong_only;
} input_t;

static void
parse_and_print(void *argument)
{
    const input_t *input = argument;

    errno = 1234;
    int mistakes =
        rfi_options_parse(input->text, input->source, input->strong_only);
    if (errno != 1234) {
        _exit(100);
    }
    dprintf(STDERR_FILENO, "unowned=%d thp=%d decay=%d verbosity=%d abort=%d",
            (int)rfi_config_get(unowned), (int)rfi_config_get(thp),
            (int)rfi_config_get(dirty_decay_ms), (int)rfi_config_get(verbosity),
            (int)rfi_config_get(abort_on_error));
    _exit(mistakes);
}

static void
assert_result(input_t input, int mistakes, const char *expected)
{
    child_t child;

    child_run(&child, parse_and_print, &input);
    assert_int_equal(child.exit_status, mistakes);
    assert_string_equal(child.text, expected);
}

#define DEFAULTS "unowned=0 thp=0 decay=500 verbosity=0 abort=1"

static void
assert_sets(const char *text, const char *expected)
{
    assert_result((input_t){text, RFI_OPTIONS_VARIABLE, false}, 0, expected);
}

/* A mistake prints a line and changes nothing. */
static void
assert_mistake(const char *text, const char *line)
{
    char expected[1000];

    snprintf(expected, sizeof(expected), "ringfence: %s\n" DEFAULTS, line);
    assert_result((input_t){text, RFI_OPTIONS_VARIABLE, false}, 1, expected);
}

static void
takes_nothing(void **state)
{
    (void)state;
    assert_sets("", DEFAULTS);
    assert_sets(" :,:: \t\n", DEFAULTS);
}

static void
takes_all_separators(void **state)
{
    const char *expected = "unowned=1 thp=2 decay=-1 verbosity=3 abort=0";

    (void)state;
    assert_sets("unowned=ignore:thp=never:dirty_decay_ms=-1:verbosity=3:"
                "abort_on_error=0",
                expected);
    assert_sets("unowned=ignore,thp=never dirty_decay_ms=-1\tverbosity=3\n"
                "abort_on_error=0",
                expected);
    assert_sets("::unowned=ignore, :thp=never,dirty_decay_ms=-1  verbosity=3"
                "\r\nabort_on_error=no:",
                expected);
}

static void
takes_the_last_of_equal_keys(void **state)
{
    (void)state;
    assert_sets("verbosity=1:verbosity=2",
                "unowned=0 thp=0 decay=500 verbosity=2 abort=1");
}

static void
takes_quoted_values(void **state)
{
    const char *expected = "unowned=0 thp=1 decay=500 verbosity=2 abort=1";

    (void)state;
    assert_sets("thp='always':verbosity=\"2\"", expected);
    assert_sets("thp='always'verbosity=2", expected);
    assert_mistake("thp='a:b, \"c'",
                   "RINGFENCE_OPTIONS: 'a:b, \"c' is no value for thp, which "
                   "takes default|always|never");
}

static void
names_unknown_keys(void **state)
{
    (void)state;
    assert_mistake("verbositi=3",
                   "RINGFENCE_OPTIONS: unknown option 'verbositi': did you "
                   "mean 'verbosity'?");
    assert_mistake("quarantine_size_mb=8",
                   "RINGFENCE_OPTIONS: unknown option 'quarantine_size_mb'; "
                   "help=1 lists all");
    assert_mistake("=3",
                   "RINGFENCE_OPTIONS: unknown option ''; help=1 lists all");
}

static void
names_bad_values(void **state)
{
    (void)state;
    assert_mistake("verbosity=4",
                   "RINGFENCE_OPTIONS: '4' is no value for verbosity, which "
                   "takes 0 to 3");
    assert_mistake("verbosity=",
                   "RINGFENCE_OPTIONS: '' is no value for verbosity, which "
                   "takes 0 to 3");
    assert_mistake("abort_on_error=maybe",
                   "RINGFENCE_OPTIONS: 'maybe' is no value for "
                   "abort_on_error, which takes 0|1");
    assert_mistake("thp=a=b",
                   "RINGFENCE_OPTIONS: 'a=b' is no value for thp, which "
                   "takes default|always|never");
}

static void
names_broken_syntax(void **state)
{
    (void)state;
    assert_mistake("help", "RINGFENCE_OPTIONS: 'help' has no value; options "
                           "are key=value");
    assert_mistake("verbosity='3:thp=never",
                   "RINGFENCE_OPTIONS: the quote in the value of 'verbosity' "
                   "is not closed");
    assert_mistake("verbosity=\"", "RINGFENCE_OPTIONS: the quote in the value "
                                   "of 'verbosity' is not closed");
}

static void
goes_on_after_mistakes(void **state)
{
    (void)state;
    assert_result(
        (input_t){"nonsense:thp=x:unkown=1:verbosity=1", RFI_OPTIONS_PROGRAM,
                  false},
        3,
        "ringfence: __ringfence_default_options(): 'nonsense' has no value; "
        "options are key=value\n"
        "ringfence: __ringfence_default_options(): 'x' is no value for thp, "
        "which takes default|always|never\n"
        "ringfence: __ringfence_default_options(): unknown option 'unkown'; "
        "help=1 lists all\n"
        "unowned=0 thp=0 decay=500 verbosity=1 abort=1");
}

static void
knows_the_modes_to_come(void **state)
{
    (void)state;
    assert_sets("mode=release", DEFAULTS);
    assert_mistake("mode=hardened", "mode 'hardened' is not in this version; "
                                    "running in mode release");
    assert_mistake("mode=debug", "mode 'debug' is not in this version; "
                                 "running in mode release");
    assert_mistake("mode=fuzz", "mode 'fuzz' is not in this version; running "
                                "in mode release");
    assert_mistake("mode=fast", "RINGFENCE_OPTIONS: 'fast' is no value for "
                                "mode, which takes release");
}

static void
takes_a_mode_alone(void **state)
{
    (void)state;
    assert_result((input_t){"release", RFI_OPTIONS_MODE, false}, 0, DEFAULTS);
    assert_result((input_t){"debug", RFI_OPTIONS_MODE, false}, 1,
                  "ringfence: mode 'debug' is not in this version; running in "
                  "mode release\n" DEFAULTS);
    assert_result((input_t){"mode=release", RFI_OPTIONS_MODE, false}, 1,
                  "ringfence: RINGFENCE_MODE: 'mode=release' is no value for "
                  "mode, which takes release\n" DEFAULTS);
}

static void
takes_only_what_strengthens(void **state)
{
    (void)state;
    assert_result((input_t){"unowned=ignore:abort_on_error=0:verbosity=3:"
                            "thp=never:dirty_decay_ms=0",
                            RFI_OPTIONS_VARIABLE, true},
                  0, DEFAULTS);
    rfi_config.unowned = RFI_UNOWNED_FORWARD;
    rfi_config.abort_on_error = 0;
    assert_result(
        (input_t){"unowned=abort:abort_on_error=1", RFI_OPTIONS_VARIABLE, true},
        0, DEFAULTS);
    rfi_config.unowned = RFI_UNOWNED_ABORT;
    rfi_config.abort_on_error = 1;
}

static void
repeats_only_a_part_of_long_texts(void **state)
{
    char text[1000];
    input_t input = {text, RFI_OPTIONS_VARIABLE, false};
    child_t child;

    (void)state;
    memset(text, 'k', sizeof(text));
    memcpy(text + 500, "=v", 3);
    child_run(&child, parse_and_print, &input);
    assert_int_equal(child.exit_status, 1);
    assert_true(strcspn(child.text, "\n") < 200);
    memcpy(text, "thp=", 4);
    child_run(&child, parse_and_print, &input);
    assert_int_equal(child.exit_status, 1);
    assert_true(strcspn(child.text, "\n") < 200);
}

static void
parse_random_texts(void *seed)
{
    static const char *const pieces[] = {
        "mode", "thp", "verbosity", "=", ":", ",",     " ", "'",
        "\"",   "1",   "-",         "9", "x", "never", "=", "\n",
    };
    char text[200];

    srandom(*(unsigned *)seed);
    for (int i = 0; i < 2000; i++) {
        /* Exactly as large as the text, for AddressSanitizer. */
        text[0] = '\0';
        for (long n = random() % 16; n > 0; n--) {
            strcat(text, pieces[random() % 16]);
        }
        char *exact = strdup(text);

        rfi_options_parse(exact, RFI_OPTIONS_VARIABLE, false);
        free(exact);
    }
}

static void
survives_random_texts(void **state)
{
    child_t child;

    (void)state;
    for (unsigned seed = 1; seed <= 3; seed++) {
        child_run(&child, parse_random_texts, &seed);
        assert_int_equal(child.exit_status, 0);
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(takes_nothing),
        cmocka_unit_test(takes_all_separators),
        cmocka_unit_test(takes_the_last_of_equal_keys),
        cmocka_unit_test(takes_quoted_values),
        cmocka_unit_test(names_unknown_keys),
        cmocka_unit_test(names_bad_values),
        cmocka_unit_test(names_broken_syntax),
        cmocka_unit_test(goes_on_after_mistakes),
        cmocka_unit_test(knows_the_modes_to_come),
        cmocka_unit_test(takes_a_mode_alone),
        cmocka_unit_test(takes_only_what_strengthens),
        cmocka_unit_test(repeats_only_a_part_of_long_texts),
        cmocka_unit_test(survives_random_texts),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
