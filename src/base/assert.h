/* SPDX-License-Identifier: MIT
 *
 * Internal assertions. `rfi_assert` states what our own code guarantees; it
 * is compiled out of the release build, and never has side effects. Mistakes
 * of the caller are not asserted but raised as faults (core/fault.h).
 *
 * This layer cannot print: a higher one installs a sink that does
 * (rfi_log_start() in core/log.h). Without a sink a failed assertion traps.
 */
#ifndef RINGFENCE_BASE_ASSERT_H
#define RINGFENCE_BASE_ASSERT_H

#include "base/compiler.h"

/* Told about the failed assertion; may return, the process ends anyhow. */
typedef void (*rfi_assert_sink_t)(const char *expression, const char *file,
                                  int line);

void rfi_assert_set_sink(rfi_assert_sink_t sink);

/* Calls the sink and traps. */
RFI_NORETURN RFI_COLD void rfi_assert_failed(const char *expression,
                                             const char *file, int line);

/* RFI_ASSERTING is a constant, so that code which serves assertions only can
 * stand in a plain `if` and is compiled in every build. */
#ifdef RFI_ASSERTS
#define RFI_ASSERTING 1
#else
#define RFI_ASSERTING 0
#endif

#define rfi_assert(expression) \
    (!RFI_ASSERTING || RFI_LIKELY(expression) \
         ? (void)0 \
         : rfi_assert_failed(#expression, __FILE__, __LINE__))

#endif
