/* SPDX-License-Identifier: MIT
 *
 * One pass over the dirty granules. For granule_purge.c, which decides when
 * there is one and how far it goes.
 */
#ifndef RINGFENCE_MEM_GRANULE_PASS_H
#define RINGFENCE_MEM_GRANULE_PASS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct rfi_granule_pass {
    /* Set by the caller. */
    uint64_t now_ms;
    uint32_t delay_ms; /* purge what has been dirty for so long */
    bool everything;   /* or whatever its age */
    bool is_excess;    /* asked for by no one: may be regretted */
    size_t keep;       /* stop when so few granules are dirty */
    /* Results. */
    size_t purged; /* granules */
    bool was_refused;
    /* Inside. */
    uintptr_t below; /* the cursor: granules from here up are done */
} rfi_granule_pass_t;

/* Without the lock. */
void rfi_granule_pass_run(rfi_granule_pass_t *pass);

#endif
