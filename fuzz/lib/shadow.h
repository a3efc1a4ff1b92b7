/* SPDX-License-Identifier: MIT
 *
 * The model heap: all blocks that must be live, findable by number (so that
 * an input names a block in the same way in every run, wherever the kernel
 * puts mappings) and ordered by address (so that blocks which overlap are
 * noticed). One thread at a time.
 */
#ifndef RINGFENCE_FUZZ_LIB_SHADOW_H
#define RINGFENCE_FUZZ_LIB_SHADOW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "block.h"

#define SHADOW_SLOTS 8192u

typedef struct shadow {
    block_t slots[SHADOW_SLOTS];
    uint16_t unused[SHADOW_SLOTS];  /* stack of free slots, below slots_used */
    uint16_t ordered[SHADOW_SLOTS]; /* slots in use, by rising address */
    uint32_t unused_count;
    uint32_t slots_used; /* slots beyond have never been used */
    uint32_t count;      /* live blocks */
    size_t bytes;        /* their usable sizes */
} shadow_t;

void shadow_reset(shadow_t *shadow);

bool shadow_is_full(const shadow_t *shadow);

/* Adds a live block; it must overlap no other. */
void shadow_add(shadow_t *shadow, const block_t *block);

/* The first live block at or after the slot that `pick` names; NULL when
 * none is live. Valid until the next call that adds or removes. */
block_t *shadow_pick(shadow_t *shadow, uint32_t pick);

/* Forgets a block that shadow_pick() has found. */
void shadow_remove(shadow_t *shadow, block_t *block);

#endif
