/* SPDX-License-Identifier: MIT
 *
 * A bounded formatter without malloc, stdio, locale or errno: safe in a
 * signal handler and inside malloc. Understands %s %.*s %c %d %i %u %x %p %%
 * with the length modifiers l, ll and z, a field width (a number or *) and
 * the flags 0 and -. %p prints 0x and lower-case hexadecimal, NULL as 0x0;
 * %s prints NULL as (null).
 */
#ifndef RINGFENCE_BASE_FORMAT_H
#define RINGFENCE_BASE_FORMAT_H

#include <stdarg.h>
#include <stddef.h>

#include "base/compiler.h"

/* Writes at most capacity - 1 bytes and a NUL (capacity must not be zero);
 * what does not fit is cut. Returns the number of bytes before the NUL. */
RFI_PRINTF(3, 4)
size_t rfi_format(char *buffer, size_t capacity, const char *format, ...);

RFI_PRINTF(3, 0)
size_t rfi_format_list(char *buffer, size_t capacity, const char *format,
                       va_list list);

#endif
