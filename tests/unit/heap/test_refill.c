/* SPDX-License-Identifier: MIT
 *
 * Where malloc's blocks come from, place by place in the order that refill.c
 * promises, and what happens when there is no memory.
 */
#include "heap_test.h"

static void
cuts_one_after_the_other(void **state)
{
    char *blocks[BIG_BLOCKS];

    (void)state;
    for (unsigned i = 0; i < BIG_BLOCKS; i++) {
        blocks[i] = allocate(mine, BIG);
        assert_ptr_equal(blocks[i], blocks[0] + i * BIG);
        assert_int_equal(span_of(blocks[i])->state, RFI_STATE_CURRENT);
    }
    assert_false(rfi_span_has_uncut(span_of(blocks[0])));
    release_many(mine, (void **)blocks, BIG_BLOCKS);
}

static void
small_blocks_fill_a_page_at_a_time(void **state)
{
    void *block = allocate(mine, 64);
    const rfi_span_t *span = span_of(block);

    (void)state;
    assert_int_equal(rfi_span_carved(span) - span->colour, 64);
    assert_int_equal(rfi_span_out(span), 64);
    release(mine, block);
}

static void
takes_own_frees_first(void **state)
{
    void *blocks[4];

    (void)state;
    allocate_many(mine, BIG, blocks, 4);
    release(other, blocks[0]);
    release(mine, blocks[1]);
    release(mine, blocks[2]);
    assert_ptr_equal(allocate(mine, BIG), blocks[2]);
    assert_ptr_equal(allocate(mine, BIG), blocks[1]);
    assert_ptr_equal(allocate(mine, BIG), blocks[0]);
    assert_int_equal(shared_count(blocks[0]), 0);
    assert_int_equal(rfi_span_carved(span_of(blocks[0])), 4);
    release_many(mine, blocks, 4);
}

static void
then_an_available_span(void **state)
{
    void *blocks[BIG_BLOCKS];
    void *next = fill_span(mine, blocks);

    (void)state;
    release(mine, blocks[3]);
    assert_int_equal(span_of(blocks[0])->state, RFI_STATE_AVAILABLE);
    assert_ptr_equal(allocate(mine, BIG), blocks[3]);
    assert_int_equal(span_of(blocks[0])->state, RFI_STATE_CURRENT);
    assert_int_equal(span_of(next)->state, RFI_STATE_AVAILABLE);
    release_many(mine, blocks, BIG_BLOCKS);
    release(mine, next);
}

static void
then_the_shelf(void **state)
{
    void *blocks[BIG_BLOCKS];
    void *next = fill_span(mine, blocks);

    (void)state;
    release(other, blocks[5]);
    assert_int_equal(flags_of(blocks[0]),
                     RFI_SHARED_FULL | RFI_SHARED_SHELVED);
    assert_ptr_equal(allocate(mine, BIG), blocks[5]);
    assert_int_equal(flags_of(blocks[0]), 0);
    release_many(mine, blocks, BIG_BLOCKS);
    release(mine, next);
}

/* Leaves a span with one live block to the orphans. */
static void *
leave_orphan(rfi_heap_t *heap)
{
    void *blocks[2];

    allocate_many(heap, BIG, blocks, 2);
    release(heap, blocks[1]);
    rfi_shelf_set_detached(heap, true);
    rfi_heap_abandon(heap);
    rfi_shelf_set_detached(heap, false);
    audit_all();
    assert_ptr_equal(owner_of(blocks[0]), &rfi_heap_orphans);
    return blocks[0];
}

static void
then_the_uncut_part_then_an_orphan(void **state)
{
    void *left = leave_orphan(other);
    void *blocks[BIG_BLOCKS];
    void *adopted;

    (void)state;
    /* The heap has no span yet: the orphan comes before a new one. */
    adopted = allocate(mine, BIG);
    assert_ptr_equal(span_of(adopted), span_of(left));
    assert_ptr_equal(owner_of(left), mine);
    blocks[0] = allocate(mine, BIG);
    void *second = leave_orphan(third);

    allocate_many(mine, BIG, blocks + 1, BIG_BLOCKS - 3);
    assert_ptr_equal(span_of(blocks[BIG_BLOCKS - 3]), span_of(left));
    assert_ptr_equal(owner_of(second), &rfi_heap_orphans);
    void *last = allocate(mine, BIG);

    assert_ptr_equal(span_of(last), span_of(second));
    release_many(mine, blocks, BIG_BLOCKS - 2);
    release(mine, adopted);
    release(mine, left);
    release(mine, second);
    release(mine, last);
}

static void
keeps_a_current_span_that_others_refill(void **state)
{
    void *blocks[BIG_BLOCKS];

    (void)state;
    allocate_many(mine, BIG, blocks, BIG_BLOCKS);
    release(other, blocks[0]);
    release(other, blocks[1]);
    assert_int_equal(flags_of(blocks[0]), 0);
    assert_ptr_equal(allocate(mine, BIG), blocks[1]);
    assert_ptr_equal(allocate(mine, BIG), blocks[0]);
    release_many(mine, blocks, BIG_BLOCKS);
}

static void
knows_fresh_memory(void **state)
{
    unsigned c = rfi_size_class_of(BIG);

    (void)state;
    (void)rfi_granule_purge(0, true);
    void *block = allocate(mine, BIG);

    assert_true((mine->zero_classes >> c & 1) != 0);
    release(mine, block);
    assert_ptr_equal(allocate(mine, BIG), block);
    assert_true((mine->zero_classes >> c & 1) == 0);
    release(mine, block);
}

/* Allocates until the kernel's refusal shows. */
static void
out_of_memory_changes_nothing(void **state)
{
    static void *blocks[20000];
    unsigned count = 0;

    (void)state;
    rfi_fail_arm(1, UINT64_MAX - 1);
    while (count < 20000) {
        blocks[count] = rfi_heap_refill(mine, RFI_CLASS_COUNT - 1);
        if (blocks[count] == NULL) {
            break;
        }
        count++;
    }
    assert_true(count < 20000);
    audit_all();
    rfi_fail_arm(0, 0);
    void *block = allocate(mine, RFI_CLASS_SIZE_MAX);

    assert_non_null(block);
    release(mine, block);
    release_many(mine, blocks, count);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        heap_test(cuts_one_after_the_other),
        heap_test(small_blocks_fill_a_page_at_a_time),
        heap_test(takes_own_frees_first),
        heap_test(then_an_available_span),
        heap_test(then_the_shelf),
        heap_test(then_the_uncut_part_then_an_orphan),
        heap_test(keeps_a_current_span_that_others_refill),
        heap_test(knows_fresh_memory),
        heap_test(out_of_memory_changes_nothing),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
