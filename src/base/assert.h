/* SPDX-License-Identifier: MIT
 *
 * Internal assertions. `rfi_assert` states what our own code guarantees; it
 * is compiled out of the release build, and never has side effects. Mistakes
 * of the caller are not asserted but raised as faults (core/fault.h).
 */
#ifndef RINGFENCE_BASE_ASSERT_H
#define RINGFENCE_BASE_ASSERT_H

#include "base/compiler.h"

#ifdef RFI_ASSERTS

/* Prints one line with write(2) and aborts. Defined in base/assert.c. */
RFI_NORETURN RFI_COLD void rfi_assert_failed(const char *expression,
                                             const char *file, int line);

#define rfi_assert(expression) \
    (RFI_LIKELY(expression) \
         ? (void)0 \
         : rfi_assert_failed(#expression, __FILE__, __LINE__))
#else
#define rfi_assert(expression) ((void)sizeof((expression) ? 1 : 0))
#endif

#endif
