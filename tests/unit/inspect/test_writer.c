/* SPDX-License-Identifier: MIT
 *
 * The writer: order, nothing lost when its buffer is full, long texts cut.
 */
#include "inspect/writer.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "support/child.h"
#include "support/test.h"

static void
write_many_lines(void *argument)
{
    rfi_writer_t writer;

    (void)argument;
    rfi_writer_start(&writer, STDERR_FILENO);
    for (int i = 0; i < 1000; i++) {
        rfi_writer_print(&writer, "line %d\n", i);
    }
    rfi_writer_finish(&writer);
}

static void
loses_nothing_when_full(void **state)
{
    child_t child;
    const char *next;
    char line[32];

    (void)state;
    child_run(&child, write_many_lines, NULL);
    assert_int_equal(child.exit_status, 0);
    next = child.text;
    for (int i = 0; i < 1000; i++) {
        size_t count = (size_t)snprintf(line, sizeof(line), "line %d\n", i);

        assert_memory_equal(next, line, count);
        next += count;
    }
    assert_int_equal(*next, '\0');
}

static void
write_one_long_line(void *argument)
{
    rfi_writer_t writer;
    char text[2 * RFI_WRITER_LINE_MAX];

    (void)argument;
    memset(text, 'x', sizeof(text));
    rfi_writer_start(&writer, STDERR_FILENO);
    rfi_writer_print(&writer, "%.*s", (int)sizeof(text), text);
    rfi_writer_print(&writer, "end");
    rfi_writer_finish(&writer);
}

static void
cuts_long_lines(void **state)
{
    child_t child;

    (void)state;
    child_run(&child, write_one_long_line, NULL);
    assert_int_equal(child.count, RFI_WRITER_LINE_MAX - 1 + 3);
    assert_string_equal(child.text + RFI_WRITER_LINE_MAX - 1, "end");
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(loses_nothing_when_full),
        cmocka_unit_test(cuts_long_lines),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
