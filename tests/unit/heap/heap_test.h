/* SPDX-License-Identifier: MIT
 *
 * For the tests of the heap: a few heaps in one thread, which plays all the
 * threads in the order that the test wants, and what malloc and free would
 * do with them. Every step is followed by an audit.
 *
 * Most tests use the class of 8 KiB: eight blocks in a span of one granule,
 * no colour, one block cut at a time, and one free wakes a full span.
 */
#ifndef RINGFENCE_TESTS_UNIT_HEAP_HEAP_TEST_H
#define RINGFENCE_TESTS_UNIT_HEAP_HEAP_TEST_H

#include "heap/heap.h"
#include "heap/heap_pool.h"
#include "heap/refill.h"
#include "heap/remote.h"
#include "heap/shared_list.h"
#include "heap/shelf.h"
#include "heap/span_count.h"
#include "mem/directory.h"
#include "mem/granule.h"
#include "os/fail.h"
#include "support/test.h"

#define BIG ((size_t)8192)
#define BIG_BLOCKS 8u

/* The threads of a test. */
static rfi_heap_t *mine;
static rfi_heap_t *other;
static rfi_heap_t *third;

static inline int
take_heaps(void **state)
{
    (void)state;
    rfi_fail_arm(0, 0);
    (void)rfi_granule_purge(0, true); /* all memory is clean again */
    mine = rfi_heap_pool_take();
    other = rfi_heap_pool_take();
    third = rfi_heap_pool_take();
    return mine != NULL && other != NULL && third != NULL ? 0 : -1;
}

/* Fails when the test has left anything behind. */
static inline int
give_heaps(void **state)
{
    rfi_granule_stats_t stats;

    (void)state;
    rfi_heap_pool_give(third);
    rfi_heap_pool_give(other);
    rfi_heap_pool_give(mine);
    rfi_heap_pool_sweep(0, true);
    rfi_granule_stats(&stats);
    return stats.used_bytes == 0 && rfi_granule_audit() == 0 ? 0 : -1;
}

#define heap_test(function) \
    cmocka_unit_test_setup_teardown(function, take_heaps, give_heaps)

static inline void
audit_all(void)
{
    assert_int_equal(rfi_heap_audit(mine), 0);
    assert_int_equal(rfi_heap_audit(other), 0);
    assert_int_equal(rfi_heap_audit(third), 0);
    assert_int_equal(rfi_heap_audit(&rfi_heap_orphans), 0);
}

static inline rfi_span_t *
span_of(const void *block)
{
    rfi_span_t *span = rfi_directory_find_head(block);

    assert_non_null(span);
    return span;
}

static inline rfi_heap_t *
owner_of(const void *block)
{
    return atomic_load(&span_of(block)->owner);
}

static inline uint32_t
shared_count(const void *block)
{
    return rfi_shared_count(rfi_span_shared(span_of(block)));
}

static inline uint64_t
flags_of(const void *block)
{
    return rfi_span_shared(span_of(block)) & RFI_SHARED_FLAGS;
}

/* malloc by the heap's thread; NULL when out of memory. */
static inline void *
allocate(rfi_heap_t *heap, size_t size)
{
    unsigned size_class = rfi_size_class_of(size);
    rfi_block_t *block = heap->cache[size_class];

    if (block != NULL) {
        heap->cache[size_class] = block->next;
        block->key = NULL;
    } else {
        block = rfi_heap_refill_local(heap, size_class);
        if (block == NULL) {
            block = rfi_heap_refill(heap, size_class);
        }
    }
    audit_all();
    return block;
}

static inline void
allocate_many(rfi_heap_t *heap, size_t size, void **blocks, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        blocks[i] = allocate(heap, size);
        assert_non_null(blocks[i]);
    }
}

/* free by the heap's thread, without batches. */
static inline void
release(rfi_heap_t *heap, void *block)
{
    rfi_span_t *span = span_of(block);

    if (atomic_load(&span->owner) == heap) {
        rfi_heap_free_local(heap, span, block);
    } else {
        rfi_remote_push(heap, span, block, block, 1);
    }
    audit_all();
}

static inline void
release_many(rfi_heap_t *heap, void **blocks, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        release(heap, blocks[i]);
    }
}

/* A full span of `heap`, all of whose blocks are in `blocks`, and the first
 * block of the next span. */
static inline void *
fill_span(rfi_heap_t *heap, void **blocks)
{
    allocate_many(heap, BIG, blocks, BIG_BLOCKS);
    for (unsigned i = 1; i < BIG_BLOCKS; i++) {
        assert_ptr_equal(span_of(blocks[i]), span_of(blocks[0]));
    }
    void *next = allocate(heap, BIG);

    assert_int_equal(span_of(blocks[0])->state, RFI_STATE_FULL);
    assert_int_equal(flags_of(blocks[0]), RFI_SHARED_FULL);
    return next;
}

#endif
