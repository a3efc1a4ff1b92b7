/* SPDX-License-Identifier: MIT
 *
 * One line on stderr, prefixed "ringfence: ", formatted on the stack (512
 * bytes) and written by one write(2): no allocation, no stdio, no errno.
 */
#ifndef RINGFENCE_CORE_LOG_H
#define RINGFENCE_CORE_LOG_H

#include "base/compiler.h"

/* Always printed: something the user must know. */
RFI_PRINTF(1, 2) void rfi_log_warning(const char *format, ...);

/* Printed from verbosity `level` up (option verbosity). */
RFI_PRINTF(2, 3) void rfi_log_info(int level, const char *format, ...);

/* Lets failed assertions print a line and abort; before, they trap. */
void rfi_log_start(void);

#endif
