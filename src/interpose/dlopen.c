/* SPDX-License-Identifier: MIT
 *
 * Finds the functions that dlopen_*.S jumps to, on first use. dlsym may
 * allocate, which is ours then; it takes no lock of ours.
 */
#include "interpose/dlopen.h"

#include <dlfcn.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

/* Stands in for a function that libc does not have: fails as it would. */
static void *
open_nothing(void)
{
    return NULL;
}

static void *
find_real(_Atomic(void *) *real, const char *name)
{
    /* Relaxed: whoever finds it first, the address is the same. */
    void *found = atomic_load_explicit(real, memory_order_relaxed);

    if (found == NULL) {
        found = dlsym(RTLD_NEXT, name);
        if (found == NULL) {
            found = (void *)(uintptr_t)open_nothing;
        }
        atomic_store_explicit(real, found, memory_order_relaxed);
    }
    return found;
}

void *
rfi_dlopen_find_real(void)
{
    static _Atomic(void *) real;

    return find_real(&real, "dlopen");
}

void *
rfi_dlmopen_find_real(void)
{
    static _Atomic(void *) real;

    return find_real(&real, "dlmopen");
}
