/* SPDX-License-Identifier: MIT
 *
 * A fault is a detected mistake, as a value. Low layers raise it; what then
 * happens is decided by the sink that api/lifecycle.c installs. Without a
 * sink (before start, in unit tests) it is printed as one line and the
 * process aborts.
 */
#ifndef RINGFENCE_CORE_FAULT_H
#define RINGFENCE_CORE_FAULT_H

#include <stddef.h>

typedef enum rfi_fault_kind {
    RFI_FAULT_BAD_FREE,        /* not a block of ours, or inside of one */
    RFI_FAULT_DOUBLE_FREE,     /* the block is free already */
    RFI_FAULT_BAD_REALLOC,     /* as BAD_FREE, given to realloc */
    RFI_FAULT_BAD_USABLE_SIZE, /* as BAD_FREE, given to malloc_usable_size */
    RFI_FAULT_CORRUPTED_LINK,  /* a free block was written to */
    RFI_FAULT_SIZE_MISMATCH,   /* sized free with another size */
    RFI_FAULT_INTERNAL,        /* our own structures are broken */
    RFI_FAULT_KINDS
} rfi_fault_kind_t;

typedef struct rfi_fault {
    rfi_fault_kind_t kind;
    const void *address;  /* what the caller gave us */
    const char *reason;   /* static text: "inside a block", "never allocated" */
    const void *block;    /* start of the block concerned, or NULL */
    size_t block_size;    /* its size in bytes, or 0 */
    const char *function; /* public function called: "free" */
    const char *knob;     /* option that governs it, or NULL */
} rfi_fault_t;

typedef void (*rfi_fault_sink_t)(const rfi_fault_t *fault);

/* The kind in the words of reports: "bad-free". */
const char *rfi_fault_name(rfi_fault_kind_t kind);

/* Returns only when the sink returns (policy `ignore`). */
void rfi_fault_raise(const rfi_fault_t *fault);

void rfi_fault_set_sink(rfi_fault_sink_t sink);

/* Writes the one line of release and hardened mode to stderr:
 * "ringfence: bad-free 0x1234: inside a block (64 bytes at 0x1220) (free);
 * see option unowned". */
void rfi_fault_print(const rfi_fault_t *fault);

#endif
