/* SPDX-License-Identifier: MIT
 *
 * FULL spans and the shelf.
 *
 * When a span has nothing left, its owner lets go of it: sets FULL in the
 * shared word and links it nowhere. It comes back in one of three ways, all
 * decided under the lock of its owner's shelf, which makes them exclusive:
 *
 *   wake    the owner itself has freed an eighth of the blocks
 *           (rfi_shelf_reclaim);
 *   pop     others have freed an eighth: the one whose push saw that puts the
 *           span on the shelf, and the owner finds it there when it looks for
 *           memory (rfi_shelf_pop);
 *   claim   others have freed every block: the one whose push made the count
 *           complete takes the span and releases it at once, so that memory
 *           does not wait for an owner that sleeps (rfi_shelf_notify).
 *
 * Spans that ended threads left behind belong to rfi_heap_orphans; from its
 * shelf any heap adopts them. Rules:
 *
 *   R1  FULL is set by the owner with one compare-and-swap from 0, and
 *       cleared only under the shelf lock of the span's owner.
 *   R2  while FULL is set, `out` does not change.
 *   R3  a span is on the shelf of its owner <=> SHELVED is set.
 *   R4  the owner word of a living span changes only under the shelf lock of
 *       the old owner: to or from rfi_heap_orphans, or to NULL at its end.
 *   R5  two shelf locks are never held together (but by fork).
 *
 * tests/model/span_ownership.pml checks these rules exhaustively.
 */
#ifndef RINGFENCE_HEAP_SHELF_H
#define RINGFENCE_HEAP_SHELF_H

#include "heap/heap.h"

/* Owner: lets go of a span from which everything has been taken. False when
 * others have pushed blocks meanwhile: they are on the shared list. */
bool rfi_shelf_let_go(rfi_span_t *span);

/* Owner: takes a FULL span back; afterwards it is neither FULL nor SHELVED,
 * and its shared list is what it was. */
void rfi_shelf_reclaim(rfi_heap_t *heap, rfi_span_t *span);

/* Owner: ends the ownership of an empty span, before rfi_span_destroy(). */
void rfi_shelf_disown(rfi_heap_t *heap, rfi_span_t *span);

/* Takes a span of the class off a shelf (the heap's own, or the orphans')
 * for `heap`, which becomes its owner; NULL when there is none. */
rfi_span_t *rfi_shelf_pop(rfi_heap_t *from, rfi_heap_t *heap,
                          unsigned size_class);

/* Any thread, after its push made the count of a FULL span `count`: shelves
 * or claims the span when that is due. `heap` is the caller's, for its
 * granule cache; may be NULL. */
void rfi_shelf_notify(rfi_heap_t *heap, rfi_span_t *span, uint32_t count);

/* A detached heap: hands a span that is linked nowhere to the orphans. Its
 * blocks on local_free join the shared list. */
void rfi_shelf_orphan(rfi_span_t *span);

/* A detached heap: hands all that stands on its shelf to the orphans. */
void rfi_shelf_orphan_all(rfi_heap_t *heap);

/* Marks the heap as without a thread, or as attached again. */
void rfi_shelf_set_detached(rfi_heap_t *heap, bool detached);

#endif
