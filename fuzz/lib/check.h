/* SPDX-License-Identifier: MIT
 *
 * The oracle's verdict: a broken promise is printed and ends the process, so
 * that the fuzzer keeps the input. Never compiled out.
 */
#ifndef RINGFENCE_FUZZ_LIB_CHECK_H
#define RINGFENCE_FUZZ_LIB_CHECK_H

#include "base/compiler.h"

/* check(condition, format, ...): prints file, line and text, then aborts. */
#define check(condition, ...) \
    (RFI_LIKELY(condition) ? (void)0 \
                           : check_failed(__FILE__, __LINE__, __VA_ARGS__))

RFI_PRINTF(3, 4)
RFI_NORETURN RFI_COLD void
check_failed(const char *file, int line, const char *format, ...);

#endif
