/* SPDX-License-Identifier: MIT
 *
 * Start of the library, start and end of threads, fork. The one place that
 * knows all layers and installs the hooks that lead upward.
 */
#ifndef RINGFENCE_API_LIFECYCLE_H
#define RINGFENCE_API_LIFECYCLE_H

#include "heap/heap.h"

/* Gives the calling thread a heap, starting the library first when it is the
 * process's first call. Returns rfi_heap_attaching, which is always busy,
 * when that is not possible: re-entry from within, or out of memory. */
rfi_heap_t *rfi_lifecycle_attach(void);

/* The end of a slow operation of a thread whose end has been seen: what it
 * borrowed goes back at once, since nobody will come for it. */
void rfi_lifecycle_operation_done(void);

/* Gives memory back to the kernel; true when there was any. */
bool rfi_lifecycle_trim(void);

#endif
