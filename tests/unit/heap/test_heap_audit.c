/* SPDX-License-Identifier: MIT
 *
 * The audit finds each broken invariant and says its number; every break here
 * is mended again.
 */
#include "heap_test.h"

static void
expect(int number)
{
    assert_int_equal(rfi_heap_audit(mine), number);
}

static void
i1_cached_blocks_lie_in_the_current_span(void **state)
{
    rfi_block_t stranger = {.next = NULL};
    void *block = allocate(mine, 64);
    unsigned c = span_of(block)->size_class;
    rfi_block_t *cache = mine->cache[c];
    rfi_span_t *current = mine->current[c];

    (void)state;
    mine->cache[c] = &stranger;
    expect(1);
    mine->cache[c] = cache;
    mine->current[c] = NULL;
    expect(1);
    mine->current[c] = current;
    expect(0);
    release(mine, block);
}

static void
i2_spans_are_the_heaps_and_in_their_state(void **state)
{
    void *blocks[BIG_BLOCKS];
    void *next = fill_span(mine, blocks);

    (void)state;
    release(mine, blocks[0]);
    rfi_span_t *available = span_of(blocks[0]);
    rfi_span_t *current = span_of(next);

    available->state = RFI_STATE_FULL;
    expect(2);
    available->state = RFI_STATE_AVAILABLE;
    current->state = RFI_STATE_AVAILABLE;
    expect(2);
    current->state = RFI_STATE_CURRENT;
    atomic_store(&current->owner, other);
    expect(2);
    atomic_store(&current->owner, mine);
    expect(0);
    release_many(mine, blocks + 1, BIG_BLOCKS - 1);
    release(mine, next);
}

static void
i3_the_countdown_counts_the_local_list(void **state)
{
    void *blocks[2];

    (void)state;
    allocate_many(mine, BIG, blocks, 2);
    release(mine, blocks[0]);
    rfi_span_t *span = span_of(blocks[0]);

    span->needed--;
    expect(3);
    span->needed++;
    rfi_span_set_out(span, rfi_span_out(span) + 1);
    expect(3);
    rfi_span_set_out(span, rfi_span_out(span) - 1);
    expect(0);
    release(mine, blocks[1]);
}

static void
i4_free_blocks_are_block_starts(void **state)
{
    char *blocks[2];

    (void)state;
    allocate_many(mine, BIG, (void **)blocks, 2);
    release(mine, blocks[0]);
    rfi_span_t *span = span_of(blocks[0]);

    span->local_free = blocks[0] + 16;
    expect(4);
    span->local_free = blocks[0] + 7 * BIG; /* not cut yet */
    expect(4);
    span->local_free = blocks[0];
    ((rfi_block_t *)(void *)blocks[0])->next = (void *)blocks[0];
    expect(4);
    ((rfi_block_t *)(void *)blocks[0])->next = NULL;
    expect(0);
    release(mine, blocks[1]);
}

static void
i5_the_shared_count_is_true(void **state)
{
    void *blocks[2];

    (void)state;
    allocate_many(mine, BIG, blocks, 2);
    release(other, blocks[0]);
    rfi_span_t *span = span_of(blocks[0]);
    uint64_t word = rfi_span_shared(span);

    atomic_store(&span->shared, rfi_shared_pack(blocks[0], 2, 0));
    expect(5);
    atomic_store(&span->shared, word);
    expect(0);
    release(mine, blocks[1]);
}

static void
i6_the_shelf_holds_what_is_shelved(void **state)
{
    void *blocks[BIG_BLOCKS];
    void *next = fill_span(mine, blocks);

    (void)state;
    release(other, blocks[0]);
    rfi_span_t *span = span_of(blocks[0]);
    uint64_t word = rfi_span_shared(span);
    uint64_t classes = mine->shelf.classes;

    atomic_store(&span->shared, word & ~RFI_SHARED_SHELVED);
    expect(6);
    atomic_store(&span->shared, word);
    span->state = RFI_STATE_AVAILABLE;
    expect(6);
    span->state = RFI_STATE_FULL;
    atomic_store(&mine->shelf.classes, 0);
    expect(6);
    atomic_store(&mine->shelf.classes, classes | 1);
    expect(6);
    atomic_store(&mine->shelf.classes, classes);
    expect(0);
    release_many(other, blocks + 1, BIG_BLOCKS - 1);
    release(mine, next);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        heap_test(i1_cached_blocks_lie_in_the_current_span),
        heap_test(i2_spans_are_the_heaps_and_in_their_state),
        heap_test(i3_the_countdown_counts_the_local_list),
        heap_test(i4_free_blocks_are_block_starts),
        heap_test(i5_the_shared_count_is_true),
        heap_test(i6_the_shelf_holds_what_is_shelved),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
