/* SPDX-License-Identifier: MIT
 *
 * Messages on stderr and formatted strings.
 */
#include "say.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

static const char *speaker = "";

void
say_as(const char *command)
{
    speaker = command;
}

static void __attribute__((format(printf, 2, 0)))
say(const char *kind, const char *format, va_list arguments)
{
    fprintf(stderr, "ringfence%s%s: %s", *speaker == '\0' ? "" : " ", speaker,
            kind);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
}

void
say_error(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    say("", format, arguments);
    va_end(arguments);
}

void
say_warning(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    say("warning: ", format, arguments);
    va_end(arguments);
}

void
say_note(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fputc('\n', stderr);
}

void *
memory_check(void *block)
{
    if (block == NULL) {
        say_error("out of memory");
        exit(125);
    }
    return block;
}

char *
text_format(const char *format, ...)
{
    char *text = NULL;
    va_list arguments;
    va_start(arguments, format);
    const int length = vasprintf(&text, format, arguments);
    va_end(arguments);
    return memory_check(length < 0 ? NULL : text);
}
