/* SPDX-License-Identifier: MIT
 *
 * See heaps.h.
 */
#include "heaps.h"

#include <inttypes.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#include "check.h"
#include "heap/heap.h"
#include "heap/heap_pool.h"
#include "heap/span_count.h"
#include "mem/directory.h"
#include "mem/granule.h"
#include "mem/large.h"
#include "mem/segment.h"

void
heaps_start(void)
{
    const char *mode = getenv("RINGFENCE_FUZZ_OVERCOMMIT");

    if (mode != NULL && rfi_heap_pool_count() == 0) {
        atomic_store_explicit(&rfi_segment_overcommit, mode[0] - '0',
                              memory_order_relaxed);
    }
}

static void
audit_heap(rfi_heap_t *heap, void *context)
{
    int broken = rfi_heap_audit(heap);

    (void)context;
    check(broken == 0, "heap %u: invariant I%d is broken", heap->number,
          broken);
}

void
heaps_audit(void)
{
    rfi_heap_pool_walk(audit_heap, NULL);
    int orphans = rfi_heap_audit(&rfi_heap_orphans);
    int granules = rfi_granule_audit();
    int huge = rfi_huge_audit();

    check(orphans == 0, "orphans: invariant I%d is broken", orphans);
    check(granules == 0, "granules: invariant I%d is broken", granules);
    check(huge == 0, "huge blocks: invariant I%d is broken", huge);
}

static void
print_span(rfi_span_t *span, void *context)
{
    (void)context;
    fprintf(stderr,
            "  span at %p: kind %u, state %u, %u granules, "
            "%u bytes a block, %u of %u cut, colour %u, out %u, "
            "countdown %u of %u, shared %#" PRIx64 ", owner %p%s\n",
            rfi_directory_address(span), span->kind, span->state,
            span->granules, span->block_size, rfi_span_carved(span),
            span->capacity, span->colour, rfi_span_out(span), span->needed,
            span->armed, rfi_span_shared(span), (void *)span->owner,
            span->owner == &rfi_heap_orphans ? " (orphans)" : "");
}

void
heaps_check_empty(void)
{
    rfi_granule_stats_t granules;
    rfi_large_stats_t large;

    rfi_granule_stats(&granules);
    rfi_large_stats(&large);
    if (granules.used_bytes != 0) {
        rfi_directory_walk(print_span, NULL);
    }
    check(granules.used_bytes == 0, "%zu bytes of granules are never free",
          granules.used_bytes);
    check(large.large_blocks == 0 && large.large_bytes == 0,
          "%zu large blocks, %zu bytes are counted as live", large.large_blocks,
          large.large_bytes);
    check(large.huge_blocks == 0 && large.huge_bytes == 0,
          "%zu huge blocks, %zu bytes are counted as live", large.huge_blocks,
          large.huge_bytes);
}
