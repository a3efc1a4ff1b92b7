/* SPDX-License-Identifier: MIT
 *
 * Collected figures against what the test itself has allocated: small blocks
 * of every class, blocks freed by another heap, large and huge blocks, heaps
 * that come and go. Differences are judged, so that tests may share a heap.
 */
#include "inspect/stats.h"

#include <string.h>

#include "front/front.h"
#include "heap/heap_pool.h"
#include "heap/remote.h"
#include "mem/granule.h"
#include "support/test.h"

#define BLOCKS 1000u

static rf_stats_t before;
static rf_stats_t after;

static int
attach_heap(void **state)
{
    (void)state;
    rfi_thread_heap = rfi_heap_pool_take();
    return rfi_thread_heap == NULL;
}

static void *
alloc(size_t size)
{
    void *block = rfi_front_alloc(rfi_thread_heap, size);

    assert_non_null(block);
    return block;
}

static void
release(void *block)
{
    rfi_front_free(rfi_thread_heap, block, "free");
}

static void
knows_all_classes(void **state)
{
    (void)state;
    memset(&after, 0xff, sizeof(after));
    rfi_stats_collect(&after);
    assert_int_equal(after.size, sizeof(after));
    assert_int_equal(after.class_count, RFI_CLASS_COUNT);
    for (size_t c = 0; c < after.class_count; c++) {
        assert_int_equal(after.classes[c].block_bytes,
                         rfi_size_class_bytes((unsigned)c));
    }
    for (size_t c = after.class_count; c < RF_STATS_CLASSES; c++) {
        assert_int_equal(after.classes[c].block_bytes, 0);
    }
}

static void
counts_live_small_blocks(void **state)
{
    static void *blocks[BLOCKS];

    (void)state;
    for (unsigned c = 0; c < RFI_CLASS_COUNT; c += 7) {
        size_t size = rfi_size_class_bytes(c);

        rfi_stats_collect(&before);
        for (size_t i = 0; i < BLOCKS; i++) {
            blocks[i] = alloc(size);
        }
        rfi_stats_collect(&after);
        assert_int_equal(after.classes[c].live_blocks,
                         before.classes[c].live_blocks + BLOCKS);
        assert_int_equal(after.small_blocks, before.small_blocks + BLOCKS);
        assert_int_equal(after.small_bytes,
                         before.small_bytes + BLOCKS * size);
        assert_int_equal(after.live_bytes, before.live_bytes + BLOCKS * size);
        assert_true(after.active_bytes >= after.live_bytes);
        assert_true(after.classes[c].cut_blocks >= BLOCKS);
        assert_true(after.classes[c].span_bytes >= BLOCKS * size);
        for (size_t i = 0; i < BLOCKS; i++) {
            release(blocks[i]);
        }
        rfi_stats_collect(&after);
        assert_int_equal(after.small_blocks, before.small_blocks);
        assert_int_equal(after.live_bytes, before.live_bytes);
    }
}

/* A block freed by another heap is live until its batch is handed over. */
static void
counts_remote_frees(void **state)
{
    rfi_heap_t *mine = rfi_thread_heap;
    rfi_heap_t *other = rfi_heap_pool_take();
    void *blocks[100];

    (void)state;
    assert_non_null(other);
    rfi_stats_collect(&before);
    for (size_t i = 0; i < 100; i++) {
        blocks[i] = alloc(200);
    }
    rfi_thread_heap = other;
    for (size_t i = 0; i < 100; i++) {
        release(blocks[i]);
    }
    rfi_remote_flush(other);
    rfi_thread_heap = mine;
    rfi_stats_collect(&after);
    assert_int_equal(after.small_blocks, before.small_blocks);
    rfi_heap_pool_give(other);
}

static void
counts_large_blocks(void **state)
{
    void *large;
    void *huge;

    (void)state;
    rfi_stats_collect(&before);
    large = alloc(1 << 20);
    huge = alloc(64 << 20);
    rfi_stats_collect(&after);
    assert_int_equal(after.large_blocks, before.large_blocks + 1);
    assert_int_equal(after.large_bytes, before.large_bytes + (1 << 20));
    assert_int_equal(after.huge_blocks, before.huge_blocks + 1);
    assert_true(after.huge_bytes >= before.huge_bytes + (64 << 20));
    assert_true(after.live_bytes >= before.live_bytes + (65 << 20));
    assert_true(after.active_bytes >= before.active_bytes + (65 << 20));
    assert_true(after.mapped_bytes >= after.live_bytes);
    release(large);
    release(huge);
    rfi_stats_collect(&after);
    assert_int_equal(after.large_blocks, before.large_blocks);
    assert_int_equal(after.huge_blocks, before.huge_blocks);
    assert_int_equal(after.live_bytes, before.live_bytes);
    assert_int_equal(after.cached_bytes,
                     after.idle_span_bytes + after.dirty_bytes +
                         after.huge_cached_bytes);
}

static void
counts_heaps(void **state)
{
    rfi_heap_t *first = rfi_heap_pool_take();
    rfi_heap_t *second = rfi_heap_pool_take();

    (void)state;
    assert_non_null(first);
    assert_non_null(second);
    rfi_stats_collect(&before);
    assert_true(before.heaps >= 3);
    rfi_heap_pool_give(first);
    rfi_heap_pool_give(second);
    rfi_stats_collect(&after);
    assert_int_equal(after.heaps, before.heaps);
    assert_int_equal(after.heaps_idle, before.heaps_idle + 2);
    assert_true(after.metadata_bytes != 0);
    assert_true(after.directory_bytes != 0);
}

static void
counts_purges(void **state)
{
    (void)state;
    void *block = alloc(4 << 20);

    memset(block, 1, 4 << 20);
    release(block);
    rfi_stats_collect(&before);
    rfi_granule_purge(0, true);
    rfi_stats_collect(&after);
    assert_int_equal(after.dirty_bytes, 0);
    assert_true(after.purged_bytes >= before.purged_bytes + (4 << 20));
    assert_true(after.purges > before.purges);
}

/* The walk over a thread's own cache believes no link that leads away. */
static void
survives_a_corrupted_cache(void **state)
{
    rfi_block_t *block = alloc(48);
    unsigned size_class = rfi_size_class_of(48);

    (void)state;
    rfi_block_t *head = rfi_thread_heap->cache[size_class];

    block->next = (rfi_block_t *)(uintptr_t)0x4141414141414140u;
    rfi_thread_heap->cache[size_class] = block;
    rfi_stats_collect(&after);
    block->next = block;
    rfi_stats_collect(&after);
    rfi_thread_heap->cache[size_class] = head;
    release(block);
}

static void
fragmentation_is_a_ratio(void **state)
{
    rf_stats_t stats = {.size = sizeof(stats)};

    (void)state;
    assert_int_equal(rf_stats_fragmentation(&stats), 100);
    stats.live_bytes = (size_t)10 << 40;
    stats.active_bytes = (size_t)13 << 40;
    assert_int_equal(rf_stats_fragmentation(&stats), 130);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(knows_all_classes),
        cmocka_unit_test(counts_live_small_blocks),
        cmocka_unit_test(counts_remote_frees),
        cmocka_unit_test(counts_large_blocks),
        cmocka_unit_test(counts_heaps),
        cmocka_unit_test(counts_purges),
        cmocka_unit_test(survives_a_corrupted_cache),
        cmocka_unit_test(fragmentation_is_a_ratio),
    };

    return cmocka_run_group_tests(tests, attach_heap, NULL);
}
