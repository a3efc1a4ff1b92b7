/* SPDX-License-Identifier: MIT
 *
 * Birth, cutting and death of small spans.
 */
#ifndef RINGFENCE_HEAP_SPAN_LIFE_H
#define RINGFENCE_HEAP_SPAN_LIFE_H

#include "heap/heap.h"

/* A span of the class, owned by the heap and of state NEW, out of the heap's
 * granule cache or from mem; NULL when out of memory. */
rfi_span_t *rfi_span_create(rfi_heap_t *heap, unsigned size_class);

/* Cuts the next blocks off the uncut part, which is not empty, and returns
 * them as a list; they count as out. At most a page's worth when the memory
 * has never been touched, since it becomes resident with this. */
rfi_block_t *rfi_span_cut(rfi_span_t *span);

/* Gives up an empty span that is linked nowhere and has no owner any more
 * (rfi_shelf_disown), to the heap's granule cache while that has room, else
 * to mem. `heap` may be NULL. */
void rfi_span_destroy(rfi_heap_t *heap, rfi_span_t *span);

/* Empties the heap's granule cache. */
void rfi_span_drop_cached(rfi_heap_t *heap);

#endif
