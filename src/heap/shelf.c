/* SPDX-License-Identifier: MIT
 *
 * See shelf.h for the protocol; the rule numbers are its.
 */
#include "heap/shelf.h"

#include "heap/shared_list.h"
#include "heap/span_count.h"
#include "heap/span_life.h"
#include "heap/span_list.h"

/* Locks the shelf of the span's owner, whoever that is when the lock is
 * held, and returns the owner. NULL, unlocked, when the span has no owner
 * any more. */
static rfi_heap_t *
lock_owner(rfi_span_t *span)
{
    for (;;) {
        /* Pairs with the release store in rfi_span_create(). */
        rfi_heap_t *owner =
            atomic_load_explicit(&span->owner, memory_order_acquire);

        if (owner == NULL) {
            return NULL;
        }
        rfi_lock_acquire(&owner->shelf.lock);
        if (atomic_load_explicit(&span->owner, memory_order_relaxed) ==
            owner) {
            return owner;
        }
        rfi_lock_release(&owner->shelf.lock);
    }
}

static void
link_locked(rfi_heap_t *owner, rfi_span_t *span)
{
    unsigned c = span->size_class;

    rfi_span_list_push_last(&owner->shelf.lists[c], span);
    atomic_fetch_or_explicit(&span->shared, RFI_SHARED_SHELVED,
                             memory_order_relaxed);
    atomic_fetch_or_explicit(&owner->shelf.classes, (uint64_t)1 << c,
                             memory_order_relaxed);
}

static void
unlink_locked(rfi_heap_t *owner, rfi_span_t *span)
{
    unsigned c = span->size_class;
    rfi_span_list_t *list = &owner->shelf.lists[c];

    rfi_span_list_remove(list, span);
    if (list->first == NULL) {
        atomic_fetch_and_explicit(&owner->shelf.classes,
                                  ~((uint64_t)1 << c), memory_order_relaxed);
    }
}

/* Takes the span out of FULL, off the shelf if it is there (R1, R3). */
static void
reclaim_locked(rfi_heap_t *owner, rfi_span_t *span)
{
    /* Acquire: pairs with the pushes, whose blocks will be handed out. */
    uint64_t word = atomic_fetch_and_explicit(
        &span->shared, ~RFI_SHARED_FLAGS, memory_order_acq_rel);

    if (word & RFI_SHARED_SHELVED) {
        unlink_locked(owner, span);
    }
}

static void
set_owner_locked(rfi_span_t *span, rfi_heap_t *owner, rfi_heap_t *fast)
{
    atomic_store_explicit(&span->owner_fast, fast, memory_order_relaxed);
    /* R4. Release: pairs with lock_owner(). */
    atomic_store_explicit(&span->owner, owner, memory_order_release);
}

bool
rfi_shelf_let_go(rfi_span_t *span)
{
    uint64_t expected = 0;

    span->state = RFI_STATE_FULL;
    /* Release: `out` and `armed` are visible to whoever sees FULL. */
    return atomic_compare_exchange_strong_explicit(
        &span->shared, &expected, RFI_SHARED_FULL, memory_order_acq_rel,
        memory_order_relaxed);
}

void
rfi_shelf_reclaim(rfi_heap_t *heap, rfi_span_t *span)
{
    rfi_lock_acquire(&heap->shelf.lock);
    reclaim_locked(heap, span);
    rfi_lock_release(&heap->shelf.lock);
}

rfi_span_t *
rfi_shelf_pop(rfi_heap_t *from, rfi_heap_t *heap, unsigned size_class)
{
    uint64_t classes =
        atomic_load_explicit(&from->shelf.classes, memory_order_relaxed);

    if (RFI_LIKELY((classes >> size_class & 1) == 0)) {
        return NULL;
    }
    rfi_lock_acquire(&from->shelf.lock);
    rfi_span_t *span = from->shelf.lists[size_class].first;

    if (span != NULL) {
        reclaim_locked(from, span);
        if (from != heap) {
            set_owner_locked(span, heap, heap);
        }
    }
    rfi_lock_release(&from->shelf.lock);
    return span;
}

void
rfi_shelf_disown(rfi_heap_t *heap, rfi_span_t *span)
{
    rfi_lock_acquire(&heap->shelf.lock);
    set_owner_locked(span, NULL, NULL);
    rfi_lock_release(&heap->shelf.lock);
}

/* Every block is back and FULL is still set: nobody else can reach the span
 * but through the shelf, whose lock we hold. It is ours. */
static void
claim_locked(rfi_heap_t *owner, rfi_span_t *span)
{
    reclaim_locked(owner, span);
    set_owner_locked(span, NULL, NULL);
}

/* Moves what the owner has freed to the shared list, with the flags given
 * added; returns the new count. `out` must count those blocks. */
static uint32_t
share_local(rfi_span_t *span, uint64_t flags)
{
    rfi_block_t *head = span->local_free;
    rfi_block_t *tail = head;
    uint32_t count = head != NULL;

    while (tail != NULL && tail->next != NULL) {
        tail = tail->next;
        count++;
    }
    span->local_free = NULL;
    rfi_span_arm(span, 0);
    return rfi_shared_count(rfi_shared_push(span, head, tail, count, flags));
}

/* The owner has no thread: the orphans' shelf is where heaps look. R4 holds,
 * for we hold the old owner's lock; R5 is why the caller starts again. The
 * few blocks that the owner has freed while the span was FULL, and which
 * `out` counts, join the others, or the count would never be complete. */
static void
pass_to_orphans_locked(rfi_span_t *span)
{
    share_local(span, 0);
    set_owner_locked(span, &rfi_heap_orphans, NULL);
}

typedef enum verdict { NOTHING, CLAIMED, AGAIN } verdict_t;

static verdict_t
judge_locked(rfi_heap_t *owner, rfi_span_t *span)
{
    uint64_t word = atomic_load_explicit(&span->shared, memory_order_acquire);
    uint32_t count = rfi_shared_count(word);

    if ((word & RFI_SHARED_FULL) == 0 ||
        atomic_load_explicit(&owner->frozen, memory_order_relaxed)) {
        return NOTHING;
    }
    if (count == rfi_span_out(span)) {
        claim_locked(owner, span);
        return CLAIMED;
    }
    if ((word & RFI_SHARED_SHELVED) != 0 ||
        count < rfi_span_wake_count(rfi_span_out(span))) {
        return NOTHING;
    }
    if (owner->shelf.detached) {
        pass_to_orphans_locked(span);
        return AGAIN;
    }
    link_locked(owner, span);
    return NOTHING;
}

/* Called when a push may have made something due: decides under the lock. */
static void
settle_full(rfi_heap_t *heap, rfi_span_t *span)
{
    verdict_t verdict;

    do {
        rfi_heap_t *owner = lock_owner(span);

        if (owner == NULL) {
            return;
        }
        verdict = judge_locked(owner, span);
        rfi_lock_release(&owner->shelf.lock);
    } while (verdict == AGAIN);
    if (verdict == CLAIMED) {
        rfi_span_destroy(heap, span);
    }
}

void
rfi_shelf_notify(rfi_heap_t *heap, rfi_span_t *span, uint32_t count)
{
    /* A hint only, hence outside of the lock: the frozen value when FULL is
     * still set, and if it is not, nothing is due. The push that completes
     * the count reads the frozen value for certain (R2). */
    uint32_t out = rfi_span_out(span);
    bool shelved = (rfi_span_shared(span) & RFI_SHARED_SHELVED) != 0;

    if (count == out || (!shelved && count >= rfi_span_wake_count(out))) {
        settle_full(heap, span);
    }
}

void
rfi_shelf_orphan(rfi_span_t *span)
{
    rfi_heap_t *owner =
        atomic_load_explicit(&span->owner, memory_order_relaxed);

    /* As in rfi_shelf_let_go(), but for a span with free blocks: they count
     * as out, like all that is on the shared list. */
    span->state = RFI_STATE_FULL;
    rfi_span_set_out(span, rfi_span_carved(span) - span->colour);
    rfi_lock_acquire(&owner->shelf.lock);
    pass_to_orphans_locked(span);
    rfi_lock_release(&owner->shelf.lock);
    uint64_t word = rfi_shared_push(span, NULL, NULL, 0, RFI_SHARED_FULL);

    rfi_shelf_notify(NULL, span, rfi_shared_count(word));
}

void
rfi_shelf_orphan_all(rfi_heap_t *heap)
{
    for (unsigned c = 0; c < RFI_CLASS_COUNT; c++) {
        for (;;) {
            rfi_lock_acquire(&heap->shelf.lock);
            rfi_span_t *span = heap->shelf.lists[c].first;

            if (span == NULL) {
                rfi_lock_release(&heap->shelf.lock);
                break;
            }
            unlink_locked(heap, span);
            atomic_fetch_and_explicit(&span->shared, ~RFI_SHARED_SHELVED,
                                      memory_order_acq_rel);
            pass_to_orphans_locked(span);
            rfi_lock_release(&heap->shelf.lock);
            settle_full(NULL, span);
        }
    }
}

void
rfi_shelf_set_detached(rfi_heap_t *heap, bool detached)
{
    rfi_lock_acquire(&heap->shelf.lock);
    heap->shelf.detached = detached;
    rfi_lock_release(&heap->shelf.lock);
}
