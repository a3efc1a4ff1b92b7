/* SPDX-License-Identifier: MIT
 *
 * The malloc that the process would have without us, for unowned=forward.
 * Looked up when the first such pointer comes, by dlsym, which may allocate;
 * a fully static program has no dlsym, and no other malloc either.
 */
#include <dlfcn.h>

#include "front/unowned.h"

extern __typeof__(dlsym) dlsym __attribute__((weak));

static void *
next_symbol(const char *name)
{
    return dlsym != NULL ? dlsym(RTLD_NEXT, name) : NULL;
}

/* ISO C has no conversion from dlsym's void * to a function. */
static rfi_next_malloc_t
find_next_malloc(void)
{
    rfi_next_malloc_t next;

    *(void **)&next.free = next_symbol("free");
    *(void **)&next.realloc = next_symbol("realloc");
    *(void **)&next.usable_size = next_symbol("malloc_usable_size");
    return next;
}

/* Only installs a hook that is used when something has gone wrong. */
__attribute__((constructor)) static void
install(void)
{
    rfi_find_next_malloc = find_next_malloc;
}
