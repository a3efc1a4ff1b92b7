/* SPDX-License-Identifier: MIT
 *
 * Lets a unit test see a fault without dying: install the catcher, do the
 * mistake, look at the last fault. Header only, so that tests of layers below
 * core need not link it.
 */
#ifndef RINGFENCE_TESTS_SUPPORT_FAULT_CATCHER_H
#define RINGFENCE_TESTS_SUPPORT_FAULT_CATCHER_H

#include "core/fault.h"

static unsigned fault_catcher_count;
static rfi_fault_t fault_catcher_last;

static inline void
fault_catcher_sink(const rfi_fault_t *fault)
{
    fault_catcher_count++;
    fault_catcher_last = *fault;
}

/* Starts catching, with nothing caught so far. */
static inline void
fault_catcher_install(void)
{
    fault_catcher_count = 0;
    fault_catcher_last = (rfi_fault_t){.kind = RFI_FAULT_KINDS};
    rfi_fault_set_sink(fault_catcher_sink);
}

static inline void
fault_catcher_remove(void)
{
    rfi_fault_set_sink(NULL);
}

#endif
