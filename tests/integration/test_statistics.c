/* SPDX-License-Identifier: MIT
 *
 * rf_stats_read and rf_stats_print through the public interface: older and
 * newer callers, figures that follow what the program does, three formats,
 * the print at exit.
 */
#include <errno.h>
#include <ringfence/ringfence.h>
#include <string.h>
#include <unistd.h>

#include "support/child.h"
#include "support/self.h"
#include "support/test.h"

static rf_stats_t
read_stats(void)
{
    rf_stats_t stats = {.size = sizeof(stats)};

    assert_int_equal(rf_stats_read(&stats), 0);
    assert_int_equal(stats.size, sizeof(stats));
    return stats;
}

static void
follows_the_program(void **state)
{
    enum { COUNT = 10000 };
    static void *blocks[COUNT];
    size_t before = read_stats().live_bytes;

    (void)state;
    for (int i = 0; i < COUNT; i++) {
        blocks[i] = rf_malloc(112);
        assert_non_null(blocks[i]);
    }
    assert_int_equal(read_stats().live_bytes, before + COUNT * 112);
    for (int i = 0; i < COUNT; i++) {
        rf_free(blocks[i]);
    }
    assert_int_equal(read_stats().live_bytes, before);
}

/* A program that was built when the struct was shorter. */
static void
fills_no_more_than_there_is(void **state)
{
    rf_stats_t stats;
    size_t known = offsetof(rf_stats_t, small_bytes);

    (void)state;
    memset(&stats, 0x55, sizeof(stats));
    stats.size = known;
    assert_int_equal(rf_stats_read(&stats), 0);
    assert_int_equal(stats.size, known);
    assert_int_equal(stats.small_bytes, 0x5555555555555555u);
}

/* A program that was built when it was longer. */
static void
says_how_much_it_filled(void **state)
{
    struct {
        rf_stats_t known;
        char more[100];
    } longer;

    (void)state;
    memset(&longer, 0x55, sizeof(longer));
    longer.known.size = sizeof(longer);
    assert_int_equal(rf_stats_read(&longer.known), 0);
    assert_int_equal(longer.known.size, sizeof(rf_stats_t));
    assert_int_equal(longer.more[0], 0x55);
}

static void
refuses_nonsense(void **state)
{
    rf_stats_t stats = {.size = sizeof(size_t) - 1};

    (void)state;
    errno = 0;
    assert_int_equal(rf_stats_read(&stats), -1);
    assert_int_equal(errno, EINVAL);
    errno = 0;
    assert_int_equal(rf_stats_print(-1, (rf_stats_format_t)77), -1);
    assert_int_equal(errno, EINVAL);
    /* What cannot be written is nobody's problem. */
    assert_int_equal(rf_stats_print(-1, RF_STATS_TEXT), 0);
}

static void
print_in(void *format)
{
    _exit(rf_stats_print(STDERR_FILENO, *(rf_stats_format_t *)format));
}

static void
prints_each_format(void **state)
{
    static const char *const starts[] = {
        [RF_STATS_TEXT] = "ringfence " RF_VERSION ", mode release\n",
        [RF_STATS_JSON] = "{\n  \"version\": \"" RF_VERSION "\",\n",
        [RF_STATS_PROMETHEUS] = "# HELP ringfence_info ",
    };

    (void)state;
    for (int i = RF_STATS_TEXT; i <= RF_STATS_PROMETHEUS; i++) {
        rf_stats_format_t format = (rf_stats_format_t)i;
        child_t child;

        child_run(&child, print_in, &format);
        assert_int_equal(child.exit_status, 0);
        assert_memory_equal(child.text, starts[i], strlen(starts[i]));
        assert_int_equal(child.text[child.count - 1], '\n');
    }
}

static void
run_with_options(child_t *child, const char *options)
{
    const char *const arguments[] = {self_path(), "allocate", NULL};
    const char *const environment[] = {options, NULL};

    child_execute(child, arguments, environment);
    assert_int_equal(child->exit_status, 0);
}

static void
prints_at_exit_when_asked(void **state)
{
    child_t child;

    (void)state;
    run_with_options(&child, "RINGFENCE_OPTIONS=print_stats=1");
    assert_non_null(strstr(child.text, "mode release\n"));
    assert_non_null(strstr(child.text, "  large          1.0 MiB  in 1 "));
    run_with_options(&child, "RINGFENCE_OPTIONS=print_stats=0");
    assert_string_equal(child.text, "");
}

int
main(int count, char **arguments)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(follows_the_program),
        cmocka_unit_test(fills_no_more_than_there_is),
        cmocka_unit_test(says_how_much_it_filled),
        cmocka_unit_test(refuses_nonsense),
        cmocka_unit_test(prints_each_format),
        cmocka_unit_test(prints_at_exit_when_asked),
    };

    if (count > 1 && strcmp(arguments[1], "allocate") == 0) {
        return rf_malloc((size_t)1 << 20) == NULL;
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
