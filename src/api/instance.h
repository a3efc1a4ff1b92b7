/* SPDX-License-Identifier: MIT
 *
 * A process may hold ringfence twice: as an archive in the program or in a
 * plug-in, and preloaded. Each instance exports this descriptor, by which
 * another one can tell whose block it has been given. It is an interface
 * between versions: fields are only ever added, and `version` counts.
 */
#ifndef RINGFENCE_API_INSTANCE_H
#define RINGFENCE_API_INSTANCE_H

#include <stdbool.h>
#include <stdint.h>

#include "ringfence/export.h"

typedef struct rfi_instance {
    uint32_t version;
    bool (*owns)(const void *pointer); /* is the address in its heap? */
} rfi_instance_t;

extern RF_API const rfi_instance_t rfi_instance;

/* Lets reports name pointers into another instance's heap. */
void rfi_instance_start(void);

#endif
