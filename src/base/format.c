/* SPDX-License-Identifier: MIT
 *
 * The bounded formatter, split by conversion: read one specification, render
 * its argument into a field (a few bytes on the stack or the caller's
 * string), then put the field into the buffer with its padding. What does not
 * fit is dropped byte by byte, never counted.
 */
#include "base/format.h"

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>

/* Where the text goes; one byte is kept back for the final NUL. */
typedef struct output {
    char *next;
    char *end;
} output_t;

typedef struct specification {
    bool left;       /* flag '-': pad behind the field */
    bool zero;       /* flag '0': pad numbers with zeros */
    size_t width;    /* least number of bytes */
    size_t limit;    /* most bytes of a string */
    unsigned longs;  /* 0 int, 1 long (also size_t), 2 long long */
    char conversion; /* the letter; NUL when the format ended early */
} specification_t;

/* One argument as text: a sign or 0x, then the digits or characters. */
typedef struct field {
    const char *prefix;
    size_t prefix_count;
    const char *text;
    size_t count;
} field_t;

typedef struct arguments {
    va_list list; /* in a struct, so that functions can share its position */
} arguments_t;

#define DIGITS_MAX 20 /* of UINT64_MAX in decimal */

static void
put_char(output_t *output, char c)
{
    if (output->next < output->end) {
        *output->next++ = c;
    }
}

static void
put_text(output_t *output, const char *text, size_t count)
{
    for (size_t i = 0; i < count && output->next < output->end; i++) {
        *output->next++ = text[i];
    }
}

static void
put_padding(output_t *output, char c, size_t count)
{
    for (size_t i = 0; i < count && output->next < output->end; i++) {
        *output->next++ = c;
    }
}

static void
put_field(output_t *output, const specification_t *spec, const field_t *field)
{
    size_t length = field->prefix_count + field->count;
    size_t padding = spec->width > length ? spec->width - length : 0;
    bool zero = spec->zero && !spec->left;

    if (!spec->left && !zero) {
        put_padding(output, ' ', padding);
    }
    put_text(output, field->prefix, field->prefix_count);
    if (zero) {
        put_padding(output, '0', padding);
    }
    put_text(output, field->text, field->count);
    if (spec->left) {
        put_padding(output, ' ', padding);
    }
}

static void
put_number(output_t *output, const specification_t *spec, uint64_t value,
           unsigned base, const char *prefix)
{
    char digits[DIGITS_MAX];
    char *first = digits + DIGITS_MAX;

    do {
        *--first = "0123456789abcdef"[value % base];
        value /= base;
    } while (value != 0);

    field_t field = {prefix, __builtin_strlen(prefix), first,
                     (size_t)(digits + DIGITS_MAX - first)};
    put_field(output, spec, &field);
}

static void
put_signed(output_t *output, const specification_t *spec, int64_t value)
{
    /* Negate as unsigned: INT64_MIN has no positive counterpart. */
    uint64_t magnitude = value < 0 ? -(uint64_t)value : (uint64_t)value;

    put_number(output, spec, magnitude, 10, value < 0 ? "-" : "");
}

static void
put_string(output_t *output, const specification_t *spec, const char *text)
{
    specification_t plain = *spec;
    size_t count = 0;

    if (text == NULL) {
        text = "(null)";
    }
    while (count < spec->limit && text[count] != '\0') {
        count++;
    }
    plain.zero = false;
    put_field(output, &plain, &(field_t){"", 0, text, count});
}

static int64_t
take_signed(const specification_t *spec, arguments_t *arguments)
{
    if (spec->longs == 0) {
        return va_arg(arguments->list, int);
    }
    if (spec->longs == 1) {
        return va_arg(arguments->list, long);
    }
    return va_arg(arguments->list, long long);
}

static uint64_t
take_unsigned(const specification_t *spec, arguments_t *arguments)
{
    if (spec->longs == 0) {
        return va_arg(arguments->list, unsigned);
    }
    if (spec->longs == 1) {
        return va_arg(arguments->list, unsigned long);
    }
    return va_arg(arguments->list, unsigned long long);
}

/* Reads digits or '*' at *format. Numbers saturate, and so can never reach
 * an overflow; a negative '*' gives false. */
static bool
read_count(const char **format, arguments_t *arguments, size_t *count)
{
    if (**format == '*') {
        int given = va_arg(arguments->list, int);

        ++*format;
        *count = given < 0 ? -(size_t)given : (size_t)given;
        return given >= 0;
    }
    *count = 0;
    for (; **format >= '0' && **format <= '9'; ++*format) {
        if (*count < INT_MAX) {
            *count = *count * 10 + (size_t)(**format - '0');
        }
    }
    return true;
}

/* Reads what follows a '%' and leaves *format behind it. */
static specification_t
read_specification(const char **format, arguments_t *arguments)
{
    specification_t spec = {.limit = SIZE_MAX};

    for (; **format == '-' || **format == '0'; ++*format) {
        spec.left |= **format == '-';
        spec.zero |= **format == '0';
    }
    if (!read_count(format, arguments, &spec.width)) {
        spec.left = true;
    }
    if (**format == '.') {
        ++*format;
        if (!read_count(format, arguments, &spec.limit)) {
            spec.limit = SIZE_MAX;
        }
    }
    for (; **format == 'l' || **format == 'z'; ++*format) {
        spec.longs++;
    }
    spec.conversion = **format;
    if (spec.conversion != '\0') {
        ++*format;
    }
    return spec;
}

static void
put_conversion(output_t *output, const specification_t *spec,
               arguments_t *arguments)
{
    switch (spec->conversion) {
    case 's':
        put_string(output, spec, va_arg(arguments->list, const char *));
        break;
    case 'c':
        put_string(output,
                   &(specification_t){
                       .left = spec->left, .width = spec->width, .limit = 1},
                   (char[]){(char)va_arg(arguments->list, int), '\0'});
        break;
    case 'd':
    case 'i':
        put_signed(output, spec, take_signed(spec, arguments));
        break;
    case 'u':
        put_number(output, spec, take_unsigned(spec, arguments), 10, "");
        break;
    case 'x':
        put_number(output, spec, take_unsigned(spec, arguments), 16, "");
        break;
    case 'p':
        put_number(output, spec, (uintptr_t)va_arg(arguments->list, void *), 16,
                   "0x");
        break;
    case '%':
        put_char(output, '%');
        break;
    default:
        /* A mistake of ours that the compiler's format check lets pass: show
         * it, and do not touch the arguments. */
        put_char(output, '%');
        if (spec->conversion != '\0') {
            put_char(output, spec->conversion);
        }
        break;
    }
}

size_t
rfi_format_list(char *buffer, size_t capacity, const char *format, va_list list)
{
    output_t output = {buffer, buffer + capacity - 1};
    arguments_t arguments;

    va_copy(arguments.list, list);
    while (*format != '\0') {
        if (*format != '%') {
            put_char(&output, *format++);
            continue;
        }
        format++;

        specification_t spec = read_specification(&format, &arguments);
        put_conversion(&output, &spec, &arguments);
    }
    va_end(arguments.list);
    *output.next = '\0';
    return (size_t)(output.next - buffer);
}

size_t
rfi_format(char *buffer, size_t capacity, const char *format, ...)
{
    va_list list;

    va_start(list, format);
    size_t count = rfi_format_list(buffer, capacity, format, list);
    va_end(list);
    return count;
}
