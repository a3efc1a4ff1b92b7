/* SPDX-License-Identifier: MIT
 *
 * Formatted output to a file descriptor through a small buffer on the stack:
 * few writes, no allocation, no stdio.
 */
#ifndef RINGFENCE_INSPECT_WRITER_H
#define RINGFENCE_INSPECT_WRITER_H

#include <stddef.h>

#include "base/compiler.h"

/* Longest text of one call of rfi_writer_print(); more is cut. */
#define RFI_WRITER_LINE_MAX 256

typedef struct rfi_writer {
    int fd;
    size_t count;
    char bytes[4 * RFI_WRITER_LINE_MAX];
} rfi_writer_t;

void rfi_writer_start(rfi_writer_t *writer, int fd);

RFI_PRINTF(2, 3)
void rfi_writer_print(rfi_writer_t *writer, const char *format, ...);

/* Writes what is still in the buffer. */
void rfi_writer_finish(rfi_writer_t *writer);

#endif
