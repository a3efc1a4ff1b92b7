/* SPDX-License-Identifier: MIT
 *
 * The record starts with the table's defaults, and the table is sound.
 */
#include "core/config.h"

#include <string.h>

#include "support/test.h"

static void
holds_the_defaults(void **state)
{
    (void)state;
#define RFI_OPTION_ENUM(key, def, strong, run_time, values, quoted, text) \
    assert_int_equal(rfi_config_get(key), def);
#define RFI_OPTION_INT(key, def, min, max, run_time, quoted, text) \
    assert_int_equal(rfi_config_get(key), def);
#define RFI_OPTION_BOOL(key, def, strong, run_time, quoted, text) \
    assert_int_equal(rfi_config_get(key), def);
#include "core/options.def"
}

static void
check_texts(const char *quoted, const char *text)
{
    assert_true(quoted[0] != '\0' && strchr(quoted, ' ') == NULL);
    assert_int_equal(text[strlen(text) - 1], '.');
}

static void
table_is_sound(void **state)
{
    (void)state;
#define RFI_OPTION_ENUM(key, def, strong, run_time, values, quoted, text) \
    check_texts(quoted, text); \
    assert_true((values)[0] != '\0' && (values)[0] != '|');
#define RFI_OPTION_INT(key, def, min, max, run_time, quoted, text) \
    check_texts(quoted, text); \
    assert_true((min) <= (def) && (def) <= (max));
#define RFI_OPTION_BOOL(key, def, strong, run_time, quoted, text) \
    check_texts(quoted, text); \
    assert_true((def) == false || (def) == true);
#include "core/options.def"
}

static void
reads_what_was_written(void **state)
{
    (void)state;
    atomic_store(&rfi_config.dirty_decay_ms, -1);
    assert_int_equal(rfi_config_get(dirty_decay_ms), -1);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(holds_the_defaults),
        cmocka_unit_test(table_is_sound),
        cmocka_unit_test(reads_what_was_written),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
