/* SPDX-License-Identifier: MIT
 *
 * See check.h. Uses libc's stdio: the allocator under test is called by its
 * rf_ names only, so that the two do not meet.
 */
#include "check.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

void
check_failed(const char *file, int line, const char *format, ...)
{
    va_list list;

    fprintf(stderr, "%s:%d: broken promise: ", file, line);
    va_start(list, format);
    vfprintf(stderr, format, list);
    va_end(list);
    fputc('\n', stderr);
    abort();
}
