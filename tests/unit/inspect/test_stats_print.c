/* SPDX-License-Identifier: MIT
 *
 * The three formats, from figures that the test makes up.
 */
#include "inspect/stats.h"

#include <string.h>
#include <unistd.h>

#include "support/child.h"
#include "support/test.h"

static rf_stats_t figures = {
    .size = sizeof(rf_stats_t),
    .live_bytes = 1536,
    .small_blocks = 12,
    .small_bytes = 1536,
    .active_bytes = 4096,
    .segments = 1,
    .mapped_bytes = (size_t)3 << 30,
    .purges = 18446744073709551615u,
    .class_count = 2,
    .classes =
        {
            {.block_bytes = 16},
            {.block_bytes = 128,
             .spans = 1,
             .span_bytes = 65536,
             .cut_blocks = 32,
             .live_blocks = 12},
        },
};

static void
print_text(void *argument)
{
    rfi_stats_print_text(STDERR_FILENO, argument, "release", "1.2.3");
}

static void
text_is_a_table(void **state)
{
    child_t child;

    (void)state;
    child_run(&child, print_text, &figures);
    assert_non_null(strstr(child.text, "ringfence 1.2.3, mode release\n"));
    assert_non_null(strstr(child.text, "  live           1.5 KiB  "
                                       "266 % active\n"));
    assert_non_null(strstr(child.text, "  mapped         3.0 GiB  "
                                       "in 1 segments\n"));
    assert_non_null(strstr(child.text, "       128        1     64.0 KiB"
                                       "         32         12     2 %\n"));
    /* A class without spans has no line. */
    assert_null(strstr(child.text, "\n        16 "));
}

static void
print_json(void *argument)
{
    rfi_stats_print_json(STDERR_FILENO, argument, "release", "1.2.3");
}

static void
json_is_one_object(void **state)
{
    child_t child;

    (void)state;
    child_run(&child, print_json, &figures);
    assert_memory_equal(child.text, "{\n  \"version\": \"1.2.3\",", 23);
    assert_non_null(strstr(child.text, "\"live_bytes\": 1536,"));
    assert_non_null(strstr(child.text, "\"purges\": 18446744073709551615,"));
    assert_non_null(strstr(child.text,
                           "  \"classes\": [\n"
                           "    {\"block_bytes\": 128, \"spans\": 1, "
                           "\"span_bytes\": 65536, \"cut_blocks\": 32, "
                           "\"live_blocks\": 12}\n  ]\n}\n"));
}

static void
print_prometheus(void *argument)
{
    rfi_stats_print_prometheus(STDERR_FILENO, argument, "release", "1.2.3");
}

static void
prometheus_has_types(void **state)
{
    child_t child;

    (void)state;
    child_run(&child, print_prometheus, &figures);
    assert_non_null(strstr(child.text,
                           "ringfence_info{version=\"1.2.3\","
                           "mode=\"release\"} 1\n"));
    assert_non_null(strstr(child.text,
                           "\n# TYPE ringfence_live_bytes gauge\n"
                           "ringfence_live_bytes 1536\n"));
    assert_non_null(strstr(child.text,
                           "\n# TYPE ringfence_purges counter\n"
                           "ringfence_purges 18446744073709551615\n"));
    assert_non_null(strstr(child.text,
                           "\nringfence_class_live_blocks"
                           "{block_bytes=\"128\"} 12\n"));
}

static void
prints_an_empty_heap(void **state)
{
    rf_stats_t empty = {.size = sizeof(empty)};
    child_t child;

    (void)state;
    child_run(&child, print_json, &empty);
    assert_non_null(strstr(child.text, "  \"classes\": [\n  ]\n}\n"));
    child_run(&child, print_text, &empty);
    assert_non_null(strstr(child.text, "100 % active\n"));
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(text_is_a_table),
        cmocka_unit_test(json_is_one_object),
        cmocka_unit_test(prometheus_has_types),
        cmocka_unit_test(prints_an_empty_heap),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
