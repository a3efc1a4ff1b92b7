/* SPDX-License-Identifier: MIT
 *
 * The formatter against snprintf, which it imitates, and at its own edges:
 * small buffers, unknown conversions, errno.
 */
#include "base/format.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/test.h"

/* Formats with both and compares; the arguments may be anything that the two
 * have in common. */
#define check_same(...) \
    do { \
        char ours[256]; \
        char theirs[256]; \
        size_t count = rfi_format(ours, sizeof(ours), __VA_ARGS__); \
        int expected = snprintf(theirs, sizeof(theirs), __VA_ARGS__); \
        assert_string_equal(ours, theirs); \
        assert_int_equal(count, expected); \
    } while (0)

#define check_text(expected, ...) \
    do { \
        char ours[256]; \
        size_t count = rfi_format(ours, sizeof(ours), __VA_ARGS__); \
        assert_string_equal(ours, expected); \
        assert_int_equal(count, strlen(expected)); \
    } while (0)

/* For formats that the compiler would reject. */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"

static size_t
format_unchecked(char *buffer, size_t capacity, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    size_t count = rfi_format_list(buffer, capacity, format, arguments);
    va_end(arguments);
    return count;
}

#pragma GCC diagnostic pop

static void
copies_plain_text(void **state)
{
    (void)state;
    check_same("plain");
    check_same("%s", "");
    check_same("100%% of %s", "it");
}

static void
formats_numbers_of_all_lengths(void **state)
{
    (void)state;
    check_same("%d %i %u %x", 0, 0, 0u, 0u);
    check_same("%d %d %d", INT_MIN, -1, INT_MAX);
    check_same("%ld %ld", LONG_MIN, LONG_MAX);
    check_same("%lld %lld", LLONG_MIN, LLONG_MAX);
    check_same("%u %x", UINT_MAX, UINT_MAX);
    check_same("%lu %lx %llu %llx", ULONG_MAX, ULONG_MAX, ULLONG_MAX,
               ULLONG_MAX);
    check_same("%zu %zx %zd", SIZE_MAX, SIZE_MAX, (ssize_t)-5);
    check_same("%d%d%d", 1, 2, 3);
}

static void
pads_fields(void **state)
{
    char text[32];

    (void)state;
    check_same("[%5d][%-5d][%05d][%1d]", 42, 42, 42, 42);
    check_same("[%5d][%-5d][%05d][%1d]", -42, -42, -42, -42);
    check_same("[%016lx][%8x][%-8x]", 0xabcdefUL, 0x12u, 0x12u);
    check_same("[%8s][%-8s][%2s]", "abc", "abc", "abc");
    check_same("[%*d][%-*s][%*s]", 6, 1, 6, "x", -6, "y");
    check_same("[%3c][%-3c]", 'a', 'b');
    format_unchecked(text, sizeof(text), "[%010p]", (void *)0x1f);
    assert_string_equal(text, "[0x0000001f]");
    check_text("[  0x1f]", "[%6p]", (void *)0x1f);
}

static void
formats_strings(void **state)
{
    const char unterminated[3] = {'a', 'b', 'c'};
    char text[32];

    (void)state;
    check_same("<%s>", "text");
    check_same("<%.*s>", 3, unterminated);
    check_same("<%.*s>", 0, "gone");
    check_same("<%.*s>", 99, "short");
    check_same("<%.*s>", -1, "all");
    check_same("<%.2s><%6.2s>", "abc", "abc");
    format_unchecked(text, sizeof(text), "%s", NULL);
    assert_string_equal(text, "(null)");
    check_same("%c%c", 'o', 'k');
}

static void
formats_pointers(void **state)
{
    (void)state;
    check_text("0x0", "%p", NULL);
    check_text("0x1234abcd", "%p", (void *)0x1234abcd);
    check_text("0xffffffffffffffff", "%p", (void *)UINTPTR_MAX);
}

static void
shows_unknown_conversions(void **state)
{
    char text[32];

    (void)state;
    format_unchecked(text, sizeof(text), "a%qb %d", 7);
    assert_string_equal(text, "a%qb 7");
    format_unchecked(text, sizeof(text), "end%");
    assert_string_equal(text, "end%");
    format_unchecked(text, sizeof(text), "end%-05l");
    assert_string_equal(text, "end%");
}

static void
cuts_what_does_not_fit(void **state)
{
    const char whole[] = "abc -0012 xyz 0x1f   !";

    (void)state;
    for (size_t capacity = 1; capacity <= sizeof(whole) + 1; capacity++) {
        /* An own allocation of this very size, for AddressSanitizer. */
        char *buffer = malloc(capacity);
        size_t fitting =
            capacity - 1 < strlen(whole) ? capacity - 1 : strlen(whole);

        size_t count = rfi_format(buffer, capacity, "%s %05d %s %p %3c", "abc",
                                  -12, "xyz", (void *)0x1f, '!');
        assert_int_equal(count, fitting);
        assert_memory_equal(buffer, whole, fitting);
        assert_int_equal(buffer[fitting], '\0');
        free(buffer);
    }
}

static void
survives_absurd_widths(void **state)
{
    char text[8];

    (void)state;
    size_t count = format_unchecked(
        text, sizeof(text), "%99999999999999999999d|%*d", 1, INT_MIN, 2);
    assert_int_equal(count, 7);
    assert_string_equal(text, "       ");
}

static void
agrees_with_snprintf_on_random_numbers(void **state)
{
    (void)state;
    srandom(1);
    for (int i = 0; i < 20000; i++) {
        unsigned long value = (unsigned long)random() << (random() % 34);
        int width = (int)(random() % 30);

        check_same("%*ld %-*lx %0*lu", width, (long)value, width, value, 12,
                   value);
        check_same("%d %u %08x", (int)value, (unsigned)value, (unsigned)value);
    }
}

static void
leaves_errno_alone(void **state)
{
    char text[16];

    (void)state;
    errno = 1234;
    rfi_format(text, sizeof(text), "%d %s", 5, "x");
    assert_int_equal(errno, 1234);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(copies_plain_text),
        cmocka_unit_test(formats_numbers_of_all_lengths),
        cmocka_unit_test(pads_fields),
        cmocka_unit_test(formats_strings),
        cmocka_unit_test(formats_pointers),
        cmocka_unit_test(shows_unknown_conversions),
        cmocka_unit_test(cuts_what_does_not_fit),
        cmocka_unit_test(survives_absurd_widths),
        cmocka_unit_test(agrees_with_snprintf_on_random_numbers),
        cmocka_unit_test(leaves_errno_alone),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
