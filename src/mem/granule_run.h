/* SPDX-License-Identifier: MIT
 *
 * What the large layer needs of the granule layer beyond mem/granule.h: a
 * run of granules together with the knowledge which of them must be cleared
 * before they count as zeroed, and the last resort when memory is out.
 */
#ifndef RINGFENCE_MEM_GRANULE_RUN_H
#define RINGFENCE_MEM_GRANULE_RUN_H

#include <stdint.h>

#include "mem/large.h"
#include "mem/span.h"

#define RFI_DIRTY_MAP_GRANULES (RFI_HUGE_MIN / RFI_GRANULE_SIZE)

/* One bit per granule of a run: was it dirty when taken? */
typedef struct rfi_dirty_map {
    uint64_t words[RFI_DIRTY_MAP_GRANULES / 64];
} rfi_dirty_map_t;

/* rfi_granule_take() with at most RFI_DIRTY_MAP_GRANULES granules, or any
 * number when `map` is NULL. */
rfi_span_t *rfi_granule_take_mapped(uint32_t count, uint32_t align,
                                    rfi_span_kind_t kind,
                                    rfi_dirty_map_t *map);

/* Gives everything that is cached here and in the huge layer back to the
 * kernel, before a request that failed is tried once more. */
void rfi_granule_reclaim(void);

#endif
