/* SPDX-License-Identifier: MIT
 *
 * See instance.h. Looked up only when a fault is about to be reported, so
 * that dlsym's price and its allocations do not matter.
 */
#include "api/instance.h"

#include <dlfcn.h>

#include "front/unowned.h"
#include "mem/directory.h"
#include "mem/large.h"

/* A fully static program has no dlsym, and no second instance either. */
extern __typeof__(dlsym) dlsym __attribute__((weak));

static bool
owns(const void *pointer)
{
    const rfi_span_t *span = rfi_directory_find(pointer);

    return (span != NULL && span->kind != RFI_SPAN_NONE) ||
           rfi_huge_find(pointer) != NULL;
}

const rfi_instance_t rfi_instance = {.version = 1, .owns = owns};

static bool
is_owned_by(const rfi_instance_t *other, const void *pointer)
{
    /* Compared by function: the address of exported data is not sure to be
     * that of our own copy. */
    return other != NULL && other->version >= 1 && other->owns != owns &&
           other->owns(pointer);
}

static const char *
name_owner(const void *pointer)
{
    if (dlsym == NULL) {
        return NULL;
    }
    if (is_owned_by(dlsym(RTLD_DEFAULT, "rfi_instance"), pointer) ||
        is_owned_by(dlsym(RTLD_NEXT, "rfi_instance"), pointer)) {
        return "block of another ringfence instance";
    }
    return NULL;
}

void
rfi_instance_start(void)
{
    rfi_name_owner = name_owner;
}
