/* SPDX-License-Identifier: MIT
 *
 * A heap as a whole: events that frees cause, collecting, sweeping, and the
 * bracket around slow paths.
 */
#include "heap_test.h"

#include "heap/busy.h"

static void
is_empty_at_first(void **state)
{
    (void)state;
    assert_int_equal(rfi_heap_audit(&rfi_heap_empty), 0);
    assert_false(rfi_heap_is_attached(&rfi_heap_empty));
    assert_false(rfi_heap_is_attached(&rfi_heap_attaching));
    assert_true(rfi_heap_is_attached(mine));
    assert_ptr_equal(rfi_thread_heap, &rfi_heap_empty);
}

static void
keeps_the_current_span_when_all_is_free(void **state)
{
    void *block = allocate(mine, BIG);
    rfi_span_t *span = span_of(block);

    (void)state;
    release(mine, block);
    assert_ptr_equal(mine->current[span->size_class], span);
    assert_int_equal(rfi_span_settle(span), 0);
    assert_ptr_equal(allocate(mine, BIG), block);
    release(mine, block);
}

static void
releases_an_available_span_with_its_last_block(void **state)
{
    void *blocks[BIG_BLOCKS];
    void *next = fill_span(mine, blocks);
    rfi_span_t *span = span_of(blocks[0]);

    (void)state;
    release_many(mine, blocks, BIG_BLOCKS - 1);
    assert_int_equal(span->state, RFI_STATE_AVAILABLE);
    release(mine, blocks[BIG_BLOCKS - 1]);
    assert_null(atomic_load(&span->owner));
    assert_int_equal(span->kind, RFI_SPAN_CACHED);
    assert_ptr_equal(mine->granule_cache, span);
    release(mine, next);
}

static void
wakes_a_full_span_after_an_eighth(void **state)
{
    static void *blocks[4096];
    unsigned count = 0;
    rfi_span_t *span;

    (void)state;
    do {
        blocks[count++] = allocate(mine, 64);
        span = span_of(blocks[0]);
    } while (span_of(blocks[count - 1]) == span);
    uint32_t out = rfi_span_out(span);

    assert_int_equal(out, count - 1);
    for (unsigned i = 0; i < out / 8; i++) {
        assert_int_equal(span->state, RFI_STATE_FULL);
        assert_int_equal(rfi_span_out(span), out);
        release(mine, blocks[i]);
    }
    assert_int_equal(span->state, RFI_STATE_AVAILABLE);
    assert_int_equal(rfi_span_out(span), out - out / 8);
    release_many(mine, blocks + out / 8, count - out / 8);
}

static void
collecting_a_full_current_span_lets_it_go(void **state)
{
    void *blocks[BIG_BLOCKS + 1];

    (void)state;
    allocate_many(mine, BIG, blocks, BIG_BLOCKS);
    rfi_heap_collect(mine);
    audit_all();
    assert_int_equal(span_of(blocks[0])->state, RFI_STATE_FULL);
    allocate_many(mine, BIG, blocks + BIG_BLOCKS, 1);
    release_many(mine, blocks, BIG_BLOCKS + 1);
}

static void
collecting_returns_cached_blocks(void **state)
{
    void *block = allocate(mine, 64);
    rfi_span_t *span = span_of(block);

    (void)state;
    assert_non_null(mine->cache[span->size_class]);
    rfi_heap_collect(mine);
    audit_all();
    assert_null(mine->cache[span->size_class]);
    assert_null(mine->current[span->size_class]);
    assert_int_equal(rfi_span_out(span), 1);
    assert_int_equal(mine->zero_classes, 0);
    release(mine, block);
    assert_null(atomic_load(&span->owner));
}

static void
collecting_clears_the_shelf(void **state)
{
    void *blocks[BIG_BLOCKS];
    void *next = fill_span(mine, blocks);

    (void)state;
    release(other, blocks[0]);
    rfi_heap_collect(mine);
    audit_all();
    assert_int_equal(mine->shelf.classes, 0);
    assert_int_equal(span_of(blocks[1])->state, RFI_STATE_AVAILABLE);
    release_many(mine, blocks + 1, BIG_BLOCKS - 1);
    release(mine, next);
}

/* One step looks at one class. */
static void
sweep_all_classes(rfi_heap_t *heap)
{
    for (unsigned c = 0; c < RFI_CLASS_COUNT; c++) {
        rfi_heap_sweep_step(heap);
        audit_all();
    }
}

static void
sweeping_finds_what_others_have_emptied(void **state)
{
    void *blocks[BIG_BLOCKS];
    void *next = fill_span(mine, blocks);
    rfi_span_t *span = span_of(blocks[0]);

    (void)state;
    release(mine, blocks[0]);
    release_many(other, blocks + 1, BIG_BLOCKS - 2);
    sweep_all_classes(mine);
    assert_ptr_equal(atomic_load(&span->owner), mine);
    release(other, blocks[BIG_BLOCKS - 1]);
    sweep_all_classes(mine);
    assert_null(atomic_load(&span->owner));
    release(mine, next);
}

static void
sweeping_clears_the_shelf_and_moves_on(void **state)
{
    enum { SPANS = 40 };
    static void *blocks[SPANS][BIG_BLOCKS];

    (void)state;
    allocate_many(mine, BIG, blocks[0], SPANS * BIG_BLOCKS);
    for (unsigned i = 0; i < SPANS; i++) {
        release(mine, blocks[i][0]);
    }
    rfi_span_t *last = span_of(blocks[SPANS - 2][0]);

    release_many(other, blocks[SPANS - 2] + 1, BIG_BLOCKS - 1);
    for (unsigned i = 0; i < SPANS; i++) {
        sweep_all_classes(mine);
    }
    assert_ptr_not_equal(atomic_load(&last->owner), mine);
    for (unsigned i = 0; i < SPANS; i++) {
        if (i != SPANS - 2) {
            release_many(mine, blocks[i] + 1, BIG_BLOCKS - 1);
        }
    }
}

static void
busy_hides_the_heap_from_the_fast_paths(void **state)
{
    (void)state;
    rfi_thread_heap = mine;
    assert_true(rfi_heap_enter(mine));
    assert_ptr_equal(rfi_thread_heap, &rfi_heap_attaching);
    assert_false(rfi_heap_enter(mine));
    rfi_heap_leave(mine);
    assert_ptr_equal(rfi_thread_heap, mine);
    assert_false(rfi_heap_enter(&rfi_heap_attaching));
    rfi_thread_heap = &rfi_heap_empty;
}

static void
deferred_blocks_come_back_once(void **state)
{
    rfi_block_t first, second;

    (void)state;
    assert_false(rfi_heap_has_deferred());
    rfi_heap_defer(&first);
    rfi_heap_defer(&second);
    assert_true(rfi_heap_has_deferred());
    rfi_block_t *list = rfi_heap_take_deferred();

    assert_ptr_equal(list, &second);
    assert_ptr_equal(list->next, &first);
    assert_null(first.next);
    assert_false(rfi_heap_has_deferred());
    assert_null(rfi_heap_take_deferred());
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        heap_test(is_empty_at_first),
        heap_test(keeps_the_current_span_when_all_is_free),
        heap_test(releases_an_available_span_with_its_last_block),
        heap_test(wakes_a_full_span_after_an_eighth),
        heap_test(collecting_a_full_current_span_lets_it_go),
        heap_test(collecting_returns_cached_blocks),
        heap_test(collecting_clears_the_shelf),
        heap_test(sweeping_finds_what_others_have_emptied),
        heap_test(sweeping_clears_the_shelf_and_moves_on),
        heap_test(busy_hides_the_heap_from_the_fast_paths),
        heap_test(deferred_blocks_come_back_once),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
