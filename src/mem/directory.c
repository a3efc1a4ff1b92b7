/* SPDX-License-Identifier: MIT
 *
 * Leaves of the directory and the marks in descriptors. Descriptors are
 * written by the owner of the granules (mem/granule.c under its lock,
 * mem/huge.c for its heads) and read by anybody, also for addresses that
 * are no block of ours; hence the relaxed atomic accesses.
 */
#include "mem/directory.h"

#include <errno.h>

#include "base/assert.h"
#include "mem/guarded.h"
#include "os/page.h"

#define LEAF_SIZE (RFI_LEAF_GRANULES * sizeof(rfi_span_t))

static_assert(RFI_ADDRESS_BITS - RFI_GRANULE_SHIFT <= 32,
              "a granule's number fits rfi_span_t.number");

_Atomic(rfi_span_t *) rfi_directory_root[RFI_ROOT_ENTRIES];

static _Atomic(size_t) leaves;

static rfi_span_kind_t
kind_of(const rfi_span_t *span)
{
    return __atomic_load_n(&span->kind, __ATOMIC_RELAXED);
}

static void
set_kind(rfi_span_t *span, rfi_span_kind_t kind)
{
    __atomic_store_n(&span->kind, (uint8_t)kind, __ATOMIC_RELAXED);
}

static rfi_span_t *
find_granule(const void *start, uint32_t distance)
{
    return rfi_directory_find((const char *)start
                              + distance * RFI_GRANULE_SIZE);
}

rfi_span_t *
rfi_directory_find_head(const void *address)
{
    rfi_span_t *span = rfi_directory_find(address);

    if (span == NULL) {
        return NULL;
    }
    if (kind_of(span) == RFI_SPAN_SECONDARY) {
        /* By address, since a span may lie in two leaves. */
        uintptr_t distance =
            __atomic_load_n(&span->head_distance, __ATOMIC_RELAXED)
            * RFI_GRANULE_SIZE;

        span = rfi_directory_find((const void *)((uintptr_t)address
                                                 - distance));
        if (span == NULL) {
            return NULL;
        }
    }
    rfi_span_kind_t kind = kind_of(span);

    return kind == RFI_SPAN_NONE || kind == RFI_SPAN_SECONDARY ? NULL : span;
}

rfi_span_t *
rfi_directory_mark_head(void *start, rfi_span_kind_t kind, uint32_t granules)
{
    rfi_span_t *head = rfi_directory_find(start);

    rfi_assert(head != NULL && kind_of(head) == RFI_SPAN_NONE);
    head->granules = granules;
    head->number = (uint32_t)((uintptr_t)start >> RFI_GRANULE_SHIFT);
    set_kind(head, kind);
    return head;
}

void
rfi_directory_clear_head(rfi_span_t *head)
{
    uint64_t *words = (uint64_t *)(void *)head;

    static_assert(offsetof(rfi_span_t, owner_fast) == 0, "cleared first");
    for (size_t i = 0; i < sizeof(*head) / sizeof(*words); i++) {
        __atomic_store_n(&words[i], 0, __ATOMIC_RELAXED);
    }
}

void
rfi_directory_mark_secondary(void *start, uint32_t first, uint32_t end)
{
    for (uint32_t distance = first; distance < end; distance++) {
        rfi_span_t *span = find_granule(start, distance);

        rfi_assert(kind_of(span) == RFI_SPAN_NONE);
        __atomic_store_n(&span->head_distance, distance, __ATOMIC_RELAXED);
        set_kind(span, RFI_SPAN_SECONDARY);
    }
}

void
rfi_directory_clear_secondary(void *start, uint32_t first, uint32_t end)
{
    for (uint32_t distance = first; distance < end; distance++) {
        rfi_span_t *span = find_granule(start, distance);

        rfi_assert(kind_of(span) == RFI_SPAN_SECONDARY);
        set_kind(span, RFI_SPAN_NONE);
        __atomic_store_n(&span->head_distance, 0, __ATOMIC_RELAXED);
    }
}

static int
add_leaf(size_t root_index)
{
    void *leaf;
    int error = rfi_guarded_map(&leaf, LEAF_SIZE);

    if (error != 0) {
        return error;
    }
    rfi_span_t *expected = NULL;

    /* Release pairs with the dependent load in rfi_directory_find(). */
    if (atomic_compare_exchange_strong_explicit(
            &rfi_directory_root[root_index], &expected, leaf,
            memory_order_release, memory_order_relaxed)) {
        atomic_fetch_add_explicit(&leaves, 1, memory_order_relaxed);
    } else {
        rfi_guarded_unmap(leaf, LEAF_SIZE); /* another thread was first */
    }
    return 0;
}

int
rfi_directory_cover(const void *start, size_t size)
{
    size_t first = (uintptr_t)start >> RFI_LEAF_SHIFT;
    size_t last = ((uintptr_t)start + size - 1) >> RFI_LEAF_SHIFT;

    if (last >= RFI_ROOT_ENTRIES) {
        return -ENOMEM;
    }
    for (size_t index = first; index <= last; index++) {
        if (atomic_load_explicit(&rfi_directory_root[index],
                                 memory_order_relaxed)
            != NULL) {
            continue;
        }
        int error = add_leaf(index);

        if (error != 0) {
            return error;
        }
    }
    return 0;
}

/* Visits the heads of one leaf. Pages of the leaf that nobody has written
 * are read here, which maps the shared zero page: no memory is used. */
static void
walk_leaf(rfi_span_t *leaf, void (*visit)(rfi_span_t *span, void *context),
          void *context)
{
    for (size_t i = 0; i < RFI_LEAF_GRANULES; i++) {
        rfi_span_kind_t kind = kind_of(&leaf[i]);

        if (kind != RFI_SPAN_NONE && kind != RFI_SPAN_SECONDARY) {
            visit(&leaf[i], context);
        }
    }
}

void
rfi_directory_walk(void (*visit)(rfi_span_t *span, void *context),
                   void *context)
{
    size_t left = atomic_load_explicit(&leaves, memory_order_relaxed);

    for (size_t i = 0; i < RFI_ROOT_ENTRIES && left != 0; i++) {
        rfi_span_t *leaf = atomic_load_explicit(&rfi_directory_root[i],
                                                memory_order_acquire);

        if (leaf != NULL) {
            walk_leaf(leaf, visit, context);
            left--;
        }
    }
}

size_t
rfi_directory_mapped(void)
{
    return atomic_load_explicit(&leaves, memory_order_relaxed) * LEAF_SIZE;
}
