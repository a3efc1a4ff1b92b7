/* SPDX-License-Identifier: MIT
 *
 * The auxiliary vector: facts that the kernel hands to a process at its
 * start. Readable before constructors and before `environ` is set.
 */
#ifndef RINGFENCE_OS_AUXILIARY_H
#define RINGFENCE_OS_AUXILIARY_H

#include <errno.h>
#include <sys/auxv.h>

/* The entry of this type (AT_...), or 0. getauxval(3) sets errno for a
 * missing entry; an allocator must not. */
static inline unsigned long
rfi_auxiliary_value(unsigned long type)
{
    int saved = errno;
    unsigned long value = getauxval(type);

    errno = saved;
    return value;
}

#endif
