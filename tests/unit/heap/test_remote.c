/* SPDX-License-Identifier: MIT
 *
 * Batches of blocks that belong to others: when they are handed over, that
 * nothing is lost on the way, and what happens to a frozen owner's blocks.
 */
#include "heap_test.h"

/* Frees by `other`, through its batches. */
static void
free_remote(void **blocks, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        rfi_remote_free(other, span_of(blocks[i]), blocks[i]);
    }
}

static void
a_batch_is_full_after_32(void **state)
{
    void *blocks[40];

    (void)state;
    allocate_many(mine, 64, blocks, 40);
    free_remote(blocks, 31);
    assert_int_equal(shared_count(blocks[0]), 0);
    assert_int_equal(other->batched_bytes, 31 * 64);
    free_remote(blocks + 31, 1);
    assert_int_equal(shared_count(blocks[0]), 32);
    assert_int_equal(other->batched_bytes, 0);
    audit_all();
    free_remote(blocks + 32, 8);
    assert_int_equal(shared_count(blocks[0]), 32);
    rfi_remote_flush(other);
    assert_int_equal(shared_count(blocks[0]), 40);
    audit_all();
    rfi_remote_flush(other);
    assert_int_equal(shared_count(blocks[0]), 40);
}

static void
all_batches_go_after_32_kib(void **state)
{
    void *small = allocate(mine, 64);
    void *blocks[5];

    (void)state;
    allocate_many(mine, BIG, blocks, 5);
    free_remote(&small, 1);
    free_remote(blocks, 3);
    assert_int_equal(other->batched_bytes, 64 + 3 * BIG);
    free_remote(blocks + 3, 1);
    assert_int_equal(other->batched_bytes, 0);
    assert_int_equal(shared_count(small), 1);
    assert_int_equal(shared_count(blocks[0]), 4);
    release(mine, blocks[4]);
    audit_all();
}

static void
spans_that_share_a_slot_take_turns(void **state)
{
    enum { SPANS = RFI_BATCH_SLOTS + 1 };
    void *blocks[SPANS];
    unsigned waiting = 0;

    (void)state;
    for (unsigned c = 0; c < SPANS; c++) {
        blocks[c] = allocate(mine, rfi_size_class_bytes(c));
    }
    free_remote(blocks, SPANS);
    for (unsigned i = 0; i < RFI_BATCH_SLOTS; i++) {
        waiting += other->batches[i].span != NULL;
    }
    assert_in_range(waiting, 1, RFI_BATCH_SLOTS);
    rfi_remote_flush(other);
    assert_int_equal(other->batched_bytes, 0);
    for (unsigned c = 0; c < SPANS; c++) {
        assert_int_equal(shared_count(blocks[c]), 1);
    }
    audit_all();
}

static void
a_frozen_owner_gets_nothing(void **state)
{
    void *block = allocate(mine, BIG);

    (void)state;
    atomic_store(&mine->frozen, true);
    release(other, block);
    assert_int_equal(shared_count(block), 0);
    atomic_store(&mine->frozen, false);
    release(mine, block);
}

static void
blocks_of_an_adopted_span_come_home(void **state)
{
    void *blocks[3];

    (void)state;
    allocate_many(mine, BIG, blocks, 3);
    free_remote(blocks, 1);
    release(mine, blocks[1]);
    rfi_shelf_set_detached(mine, true);
    rfi_heap_abandon(mine);
    rfi_shelf_set_detached(mine, false);
    assert_ptr_equal(allocate(other, BIG), blocks[1]);
    assert_ptr_equal(owner_of(blocks[0]), other);
    rfi_remote_flush(other);
    assert_int_equal(shared_count(blocks[0]), 1);
    audit_all();
    assert_ptr_equal(allocate(other, BIG), blocks[0]);
    release_many(other, blocks, 3);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        heap_test(a_batch_is_full_after_32),
        heap_test(all_batches_go_after_32_kib),
        heap_test(spans_that_share_a_slot_take_turns),
        heap_test(a_frozen_owner_gets_nothing),
        heap_test(blocks_of_an_adopted_span_come_home),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
