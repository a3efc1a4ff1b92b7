/* SPDX-License-Identifier: MIT
 *
 * The version in the headers, in the library and in the build agree.
 */
#include <ringfence/ringfence.h>
#include <stdio.h>
#include <string.h>

#include "support/test.h"

static void
versions_agree(void **state)
{
    char numbers[32];

    (void)state;
    (void)snprintf(numbers, sizeof(numbers), "%d.%d.%d", RF_VERSION_MAJOR,
                   RF_VERSION_MINOR, RF_VERSION_PATCH);
    assert_string_equal(RF_VERSION, numbers);
    assert_string_equal(RF_VERSION, PROJECT_VERSION);
    assert_string_equal(rf_version(), RF_VERSION);
}

static void
mode_is_named(void **state)
{
    (void)state;
    assert_string_equal(rf_mode(), "release");
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(versions_agree),
        cmocka_unit_test(mode_is_named),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
