/* SPDX-License-Identifier: MIT
 *
 * Pointers that are no block of ours: say why, and do what the option
 * `unowned` wants.
 */
#ifndef RINGFENCE_FRONT_UNOWNED_H
#define RINGFENCE_FRONT_UNOWNED_H

#include <stddef.h>

#include "base/compiler.h"
#include "core/fault.h"

/* The functions of the next malloc in the search order, for
 * unowned=forward. Installed by interpose; all NULL otherwise. */
typedef struct rfi_next_malloc {
    void (*free)(void *);
    void *(*realloc)(void *, size_t);
    size_t (*usable_size)(void *);
} rfi_next_malloc_t;

extern RFI_HIDDEN rfi_next_malloc_t (*rfi_find_next_malloc)(void);

/* Says whose block a pointer is that is not ours, as a reason for the report,
 * or NULL. Installed by api; NULL until then. */
extern RFI_HIDDEN const char *(*rfi_name_owner)(const void *pointer);

/* Raises a fault of the kind, with the reason found by looking at where the
 * pointer leads. Returns when the options say that the process goes on. */
void rfi_unowned_report(void *pointer, rfi_fault_kind_t kind,
                        const char *function);

/* free() of a pointer that lies in nothing of ours. */
void rfi_unowned_free(void *pointer, const char *function);

/* realloc() and malloc_usable_size() of one. */
void *rfi_unowned_resize(void *pointer, size_t size);
size_t rfi_unowned_usable(void *pointer);

#endif
