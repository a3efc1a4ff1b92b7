/* SPDX-License-Identifier: MIT
 *
 * Confirms that a block which carries its span's key is free already. The
 * key alone is a suspicion: a program may have copied it out of memory that
 * it never wrote.
 */
#ifndef RINGFENCE_HEAP_DOUBLE_FREE_H
#define RINGFENCE_HEAP_DOUBLE_FREE_H

#include "heap/heap.h"

/* Is the block on a free list of the span that this thread can walk: the
 * owner's lists when `heap` owns the span, the thread's batches, and the
 * shared list? Walks at most as many links as the span has blocks. */
bool rfi_block_is_free(const rfi_heap_t *heap, const rfi_span_t *span,
                       const rfi_block_t *block);

#endif
