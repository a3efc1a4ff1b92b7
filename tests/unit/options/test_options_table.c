/* SPDX-License-Identifier: MIT
 *
 * The table as data: finding, suggesting, values as text and back.
 */
#include "api/options_table.h"

#include <string.h>

#include "core/config.h"
#include "support/test.h"

static const rfi_option_t *
option(const char *key)
{
    const rfi_option_t *found = rfi_option_find(rfi_slice_of(key));

    assert_non_null(found);
    return found;
}

static void
cuts_slices(void **state)
{
    rfi_slice_t rest = rfi_slice_of("a|bc||d");
    const char *parts[] = {"a", "bc", "", "d", ""};

    (void)state;
    for (size_t i = 0; i < 5; i++) {
        rfi_slice_t part = rfi_slice_cut(&rest, '|');

        assert_true(rfi_slice_equals(part, parts[i]));
    }
    assert_int_equal(rest.count, 0);
}

static void
compares_slices_with_texts(void **state)
{
    (void)state;
    assert_true(rfi_slice_equals((rfi_slice_t){"abc", 2}, "ab"));
    assert_false(rfi_slice_equals((rfi_slice_t){"abc", 2}, "abc"));
    assert_false(rfi_slice_equals((rfi_slice_t){"abc", 3}, "ab"));
    assert_true(rfi_slice_equals((rfi_slice_t){"x", 0}, ""));
    assert_false(rfi_slice_equals((rfi_slice_t){"a\0b", 3}, "a"));
}

static void
finds_every_row_by_its_key(void **state)
{
    const rfi_option_t *row;
    size_t count = 0;

    (void)state;
    while ((row = rfi_option_at(count)) != NULL) {
        assert_ptr_equal(option(row->key), row);
        count++;
    }
    assert_true(count >= 9);
    assert_null(rfi_option_at(SIZE_MAX));
    assert_null(rfi_option_find(rfi_slice_of("")));
    assert_null(rfi_option_find(rfi_slice_of("mod")));
    assert_null(rfi_option_find(rfi_slice_of("modes")));
    assert_null(rfi_option_find(rfi_slice_of("Mode")));
}

static void
points_to_the_record(void **state)
{
    (void)state;
    assert_ptr_equal(option("thp")->value, &rfi_config.thp);
    assert_ptr_equal(option("verbosity")->value, &rfi_config.verbosity);
}

static void
accepts_its_own_default_and_strong_value(void **state)
{
    const rfi_option_t *row;

    (void)state;
    for (size_t i = 0; (row = rfi_option_at(i)) != NULL; i++) {
        assert_true(rfi_option_accepts(row, row->initial));
        assert_true(row->strong == RFI_NOT_STRONG ||
                    rfi_option_accepts(row, row->strong));
    }
}

static void
assert_suggests(const char *key, const char *expected)
{
    const char *meant = rfi_option_suggest(rfi_slice_of(key));

    if (expected == NULL) {
        assert_null(meant);
    } else {
        assert_non_null(meant);
        assert_string_equal(meant, expected);
    }
}

static void
suggests_near_keys(void **state)
{
    (void)state;
    assert_suggests("unownd", "unowned");
    assert_suggests("unownedd", "unowned");
    assert_suggests("umowned", "unowned");
    assert_suggests("dirty_decay", "dirty_decay_ms");
    assert_suggests("dirty-decay-ms", "dirty_decay_ms");
    assert_suggests("verb", "verbosity");
    assert_suggests("abort_on_eror", "abort_on_error");
    assert_suggests("strict", "strict_options");
    assert_suggests("MODE", NULL);
    assert_suggests("", NULL);
    assert_suggests("x", NULL);
    assert_suggests("quarantine_size_mb", NULL);
}

static void
suggests_nothing_for_endless_words(void **state)
{
    char word[1000];

    (void)state;
    memset(word, 'm', sizeof(word));
    assert_null(rfi_option_suggest((rfi_slice_t){word, sizeof(word)}));
    assert_null(rfi_option_suggest((rfi_slice_t){word, 40}));
}

static void
assert_reads(const char *key, const char *text, int64_t expected)
{
    int64_t value = 77777;

    assert_true(rfi_option_read(option(key), rfi_slice_of(text), &value));
    assert_int_equal(value, expected);
}

static void
assert_refuses(const char *key, const char *text)
{
    int64_t value;

    assert_false(rfi_option_read(option(key), rfi_slice_of(text), &value));
}

static void
reads_words(void **state)
{
    (void)state;
    assert_reads("unowned", "abort", RFI_UNOWNED_ABORT);
    assert_reads("unowned", "ignore", RFI_UNOWNED_IGNORE);
    assert_reads("unowned", "forward", RFI_UNOWNED_FORWARD);
    assert_reads("thp", "default", RFI_THP_DEFAULT);
    assert_reads("thp", "always", RFI_THP_ALWAYS);
    assert_reads("thp", "never", RFI_THP_NEVER);
    assert_reads("mode", "release", RFI_MODE_RELEASE);
    assert_refuses("thp", "");
    assert_refuses("thp", "alway");
    assert_refuses("thp", "always|never");
    assert_refuses("thp", "1");
}

static void
reads_truth(void **state)
{
    static const char *const yes[] = {"1", "yes", "true", "on"};
    static const char *const no[] = {"0", "no", "false", "off"};

    (void)state;
    for (size_t i = 0; i < 4; i++) {
        assert_reads("print_stats", yes[i], 1);
        assert_reads("print_stats", no[i], 0);
    }
    assert_refuses("print_stats", "2");
    assert_refuses("print_stats", "");
    assert_refuses("print_stats", "maybe");
}

static void
reads_numbers_in_range(void **state)
{
    (void)state;
    assert_reads("dirty_decay_ms", "0", 0);
    assert_reads("dirty_decay_ms", "-1", -1);
    assert_reads("dirty_decay_ms", "-0", 0);
    assert_reads("dirty_decay_ms", "3600000", 3600000);
    assert_reads("dirty_decay_ms", "0000000000000000000000000007", 7);
    assert_refuses("dirty_decay_ms", "-2");
    assert_refuses("dirty_decay_ms", "3600001");
    assert_refuses("dirty_decay_ms", "18446744073709551617");
    assert_refuses("dirty_decay_ms", "9223372036854775808");
    assert_refuses("dirty_decay_ms", "");
    assert_refuses("dirty_decay_ms", "-");
    assert_refuses("dirty_decay_ms", "+1");
    assert_refuses("dirty_decay_ms", "1s");
    assert_refuses("dirty_decay_ms", " 1");
}

static void
accepts_numbers_that_mean_something(void **state)
{
    (void)state;
    assert_true(rfi_option_accepts(option("thp"), 2));
    assert_false(rfi_option_accepts(option("thp"), 3));
    assert_false(rfi_option_accepts(option("thp"), -1));
    assert_false(rfi_option_accepts(option("thp"), INT64_MAX));
    assert_true(rfi_option_accepts(option("help"), 1));
    assert_false(rfi_option_accepts(option("help"), 2));
    assert_false(rfi_option_accepts(option("verbosity"), 4));
}

static void
assert_writes(const char *key, int64_t value, const char *expected,
              const char *range)
{
    char text[64];

    rfi_option_write(option(key), value, text, sizeof(text));
    assert_string_equal(text, expected);
    rfi_option_write_range(option(key), text, sizeof(text));
    assert_string_equal(text, range);
}

static void
writes_values_and_ranges(void **state)
{
    (void)state;
    assert_writes("thp", RFI_THP_NEVER, "never", "default|always|never");
    assert_writes("help", 1, "1", "0|1");
    assert_writes("dirty_decay_ms", -1, "-1", "-1 to 3600000");
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cuts_slices),
        cmocka_unit_test(compares_slices_with_texts),
        cmocka_unit_test(finds_every_row_by_its_key),
        cmocka_unit_test(points_to_the_record),
        cmocka_unit_test(accepts_its_own_default_and_strong_value),
        cmocka_unit_test(suggests_near_keys),
        cmocka_unit_test(suggests_nothing_for_endless_words),
        cmocka_unit_test(reads_words),
        cmocka_unit_test(reads_truth),
        cmocka_unit_test(reads_numbers_in_range),
        cmocka_unit_test(accepts_numbers_that_mean_something),
        cmocka_unit_test(writes_values_and_ranges),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
