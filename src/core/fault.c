/* SPDX-License-Identifier: MIT
 *
 * Names, the sink, and the one-line rendering of faults.
 */
#include "core/fault.h"

#include <stdatomic.h>

#include "base/assert.h"
#include "base/format.h"
#include "core/log.h"
#include "os/process.h"

static const char *const names[RFI_FAULT_KINDS] = {
    [RFI_FAULT_BAD_FREE] = "bad-free",
    [RFI_FAULT_DOUBLE_FREE] = "double-free",
    [RFI_FAULT_BAD_REALLOC] = "bad-realloc",
    [RFI_FAULT_BAD_USABLE_SIZE] = "bad-malloc_usable_size",
    [RFI_FAULT_CORRUPTED_LINK] = "corrupted-link",
    [RFI_FAULT_SIZE_MISMATCH] = "size-mismatch",
    [RFI_FAULT_INTERNAL] = "internal-error",
};

static _Atomic(rfi_fault_sink_t) fault_sink;

const char *
rfi_fault_name(rfi_fault_kind_t kind)
{
    rfi_assert(kind < RFI_FAULT_KINDS);
    return names[kind];
}

void
rfi_fault_set_sink(rfi_fault_sink_t sink)
{
    /* Pairs with the load in rfi_fault_raise(): what the sink needs was
     * written before it was installed. */
    atomic_store_explicit(&fault_sink, sink, memory_order_release);
}

void
rfi_fault_raise(const rfi_fault_t *fault)
{
    rfi_fault_sink_t sink =
        atomic_load_explicit(&fault_sink, memory_order_acquire);

    if (sink != NULL) {
        sink(fault);
        return;
    }
    rfi_fault_print(fault);
    rfi_process_abort();
}

void
rfi_fault_print(const rfi_fault_t *fault)
{
    char block[64] = "";
    char knob[64] = "";

    if (fault->block != NULL) {
        rfi_format(block, sizeof(block), " (%zu bytes at %p)",
                   fault->block_size, fault->block);
    }
    if (fault->knob != NULL) {
        rfi_format(knob, sizeof(knob), "; see option %s", fault->knob);
    }
    rfi_log_warning("%s %p: %s%s (%s)%s", rfi_fault_name(fault->kind),
                    fault->address, fault->reason, block, fault->function,
                    knob);
}
