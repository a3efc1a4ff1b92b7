/* SPDX-License-Identifier: MIT
 *
 * Lines on stderr. Each is put together on the stack and written at once, so
 * that lines of several threads do not mix.
 */
#include "core/log.h"

#include <stdarg.h>
#include <stddef.h>

#include "base/assert.h"
#include "base/format.h"
#include "core/config.h"
#include "os/process.h"

#define LINE_CAPACITY 512
#define STDERR 2

RFI_PRINTF(1, 0)
static void
print_line(const char *format, va_list arguments)
{
    char line[LINE_CAPACITY];
    size_t count = rfi_format(line, sizeof(line), "ringfence: ");

    count +=
        rfi_format_list(line + count, sizeof(line) - count, format, arguments);
    /* The newline takes the place of the NUL: write() needs none. */
    line[count++] = '\n';
    rfi_process_write(STDERR, line, count);
}

void
rfi_log_warning(const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    print_line(format, arguments);
    va_end(arguments);
}

void
rfi_log_info(int level, const char *format, ...)
{
    va_list arguments;

    if (rfi_config_get(verbosity) < level) {
        return;
    }
    va_start(arguments, format);
    print_line(format, arguments);
    va_end(arguments);
}

static void
print_assertion(const char *expression, const char *file, int line)
{
    rfi_log_warning("internal-error: assertion %s failed at %s:%d", expression,
                    file, line);
    rfi_process_abort();
}

void
rfi_log_start(void)
{
    rfi_assert_set_sink(print_assertion);
}
