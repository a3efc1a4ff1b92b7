/* SPDX-License-Identifier: MIT
 *
 * See writer.h.
 */
#include "inspect/writer.h"

#include <stdarg.h>

#include "base/format.h"
#include "os/process.h"

void
rfi_writer_start(rfi_writer_t *writer, int fd)
{
    writer->fd = fd;
    writer->count = 0;
}

void
rfi_writer_print(rfi_writer_t *writer, const char *format, ...)
{
    va_list list;

    if (writer->count + RFI_WRITER_LINE_MAX > sizeof(writer->bytes)) {
        rfi_writer_finish(writer);
    }
    va_start(list, format);
    writer->count += rfi_format_list(writer->bytes + writer->count,
                                     RFI_WRITER_LINE_MAX, format, list);
    va_end(list);
}

void
rfi_writer_finish(rfi_writer_t *writer)
{
    rfi_process_write(writer->fd, writer->bytes, writer->count);
    writer->count = 0;
}
