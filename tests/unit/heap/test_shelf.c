/* SPDX-License-Identifier: MIT
 *
 * FULL spans: letting go, waking, the shelf, claiming, and the orphans, one
 * transition at a time. Every order of them is checked by tests/model.
 */
#include "heap_test.h"

static void
others_push_before_the_owner_lets_go(void **state)
{
    void *blocks[BIG_BLOCKS];

    (void)state;
    allocate_many(mine, BIG, blocks, BIG_BLOCKS);
    release(other, blocks[0]);
    assert_false(rfi_shelf_let_go(span_of(blocks[0])));
    span_of(blocks[0])->state = RFI_STATE_CURRENT;
    assert_int_equal(shared_count(blocks[0]), 1);
    assert_int_equal(flags_of(blocks[0]), 0);
    release_many(mine, blocks + 1, BIG_BLOCKS - 1);
}

static void
others_free_an_eighth_and_the_span_is_shelved(void **state)
{
    static void *blocks[4096];
    unsigned count = 0;

    (void)state;
    do {
        blocks[count++] = allocate(mine, 64);
    } while (span_of(blocks[count - 1]) == span_of(blocks[0]));
    rfi_span_t *span = span_of(blocks[0]);
    unsigned wake = rfi_span_wake_count(count - 1);

    release_many(other, blocks, wake - 1);
    assert_int_equal(flags_of(blocks[0]), RFI_SHARED_FULL);
    assert_int_equal(mine->shelf.classes, 0);
    release(other, blocks[wake - 1]);
    assert_int_equal(flags_of(blocks[0]),
                     RFI_SHARED_FULL | RFI_SHARED_SHELVED);
    assert_int_equal(mine->shelf.classes, (uint64_t)1 << span->size_class);
    assert_ptr_equal(mine->shelf.lists[span->size_class].first, span);
    release_many(other, blocks + wake, count - 1 - wake);
    assert_null(atomic_load(&span->owner));
    assert_int_equal(mine->shelf.classes, 0);
    release(mine, blocks[count - 1]);
}

static void
others_free_all_and_the_last_claims(void **state)
{
    void *blocks[BIG_BLOCKS];
    void *next = fill_span(mine, blocks);
    rfi_span_t *span = span_of(blocks[0]);

    (void)state;
    release_many(other, blocks, 4);
    release_many(third, blocks + 4, 4);
    assert_null(atomic_load(&span->owner));
    assert_null(atomic_load(&span->owner_fast));
    assert_ptr_equal(third->granule_cache, span);
    release(mine, next);
}

static void
one_push_of_all_blocks_claims(void **state)
{
    void *blocks[BIG_BLOCKS];
    void *next = fill_span(mine, blocks);
    rfi_span_t *span = span_of(blocks[0]);

    (void)state;
    for (unsigned i = 0; i + 1 < BIG_BLOCKS; i++) {
        ((rfi_block_t *)blocks[i])->next = blocks[i + 1];
    }
    rfi_remote_push(NULL, span, blocks[0], blocks[BIG_BLOCKS - 1],
                    BIG_BLOCKS);
    audit_all();
    assert_int_equal(span->kind, RFI_SPAN_NONE);
    release(mine, next);
}

static void
the_owner_wakes_a_shelved_span(void **state)
{
    void *blocks[BIG_BLOCKS];
    void *next = fill_span(mine, blocks);
    rfi_span_t *span = span_of(blocks[0]);

    (void)state;
    release(other, blocks[0]);
    assert_non_null(mine->shelf.lists[span->size_class].first);
    release(mine, blocks[1]);
    assert_int_equal(flags_of(blocks[0]), 0);
    assert_int_equal(mine->shelf.classes, 0);
    assert_int_equal(span->state, RFI_STATE_AVAILABLE);
    release_many(mine, blocks + 2, BIG_BLOCKS - 2);
    rfi_heap_collect(mine);
    assert_null(atomic_load(&span->owner));
    release(mine, next);
}

static void
the_shelf_is_first_in_first_out(void **state)
{
    void *one[BIG_BLOCKS];
    void *two[BIG_BLOCKS];
    unsigned c = rfi_size_class_of(BIG);

    (void)state;
    allocate_many(mine, BIG, one, BIG_BLOCKS);
    void *next = fill_span(mine, two);

    release(other, two[0]);
    release(other, one[0]);
    assert_ptr_equal(rfi_shelf_pop(mine, mine, c), span_of(two[0]));
    assert_ptr_equal(rfi_shelf_pop(mine, mine, c), span_of(one[0]));
    assert_null(rfi_shelf_pop(mine, mine, c));
    assert_null(rfi_shelf_pop(mine, mine, c - 1));
    assert_int_equal(flags_of(one[0]), 0);
    /* Nobody knows them now: the frees that wake them are the owner's. */
    span_of(one[0])->state = span_of(two[0])->state = RFI_STATE_FULL;
    release_many(mine, one + 1, BIG_BLOCKS - 1);
    release_many(mine, two + 1, BIG_BLOCKS - 1);
    rfi_heap_collect(mine);
    release(mine, next);
}

static void
a_heap_without_a_thread_passes_to_the_orphans(void **state)
{
    void *blocks[BIG_BLOCKS];
    void *next = fill_span(mine, blocks);
    rfi_span_t *span = span_of(blocks[0]);

    (void)state;
    rfi_shelf_set_detached(mine, true);
    release(other, blocks[0]);
    assert_ptr_equal(owner_of(blocks[0]), &rfi_heap_orphans);
    assert_null(atomic_load(&span->owner_fast));
    assert_int_equal(mine->shelf.classes, 0);
    assert_ptr_equal(rfi_heap_orphans.shelf.lists[span->size_class].first,
                     span);
    /* A new thread with this heap frees as any other. */
    rfi_shelf_set_detached(mine, false);
    release_many(mine, blocks + 1, BIG_BLOCKS - 1);
    assert_null(atomic_load(&span->owner));
    assert_int_equal(rfi_heap_orphans.shelf.classes, 0);
    release(mine, next);
}

/* Fewer than wake the span: they lie on its local list when the owner ends. */
static void
what_an_ended_owner_has_freed_counts(void **state)
{
    static void *blocks[4096];
    unsigned count = 0;

    (void)state;
    do {
        blocks[count++] = allocate(mine, 512);
    } while (span_of(blocks[count - 1]) == span_of(blocks[0]));
    rfi_span_t *span = span_of(blocks[0]);

    release_many(mine, blocks, 3);
    assert_int_equal(span->state, RFI_STATE_FULL);
    rfi_shelf_set_detached(mine, true);
    release_many(other, blocks + 3, count - 4);
    assert_null(atomic_load(&span->owner));
    rfi_shelf_set_detached(mine, false);
    release(mine, blocks[count - 1]);
}

static void
an_orphan_keeps_its_blocks(void **state)
{
    void *blocks[3];
    unsigned c = rfi_size_class_of(BIG);

    (void)state;
    allocate_many(mine, BIG, blocks, 3);
    release(mine, blocks[0]);
    release(other, blocks[1]);
    rfi_shelf_set_detached(mine, true);
    rfi_heap_abandon(mine);
    rfi_shelf_set_detached(mine, false);
    audit_all();
    assert_int_equal(shared_count(blocks[2]), 2);
    assert_int_equal(flags_of(blocks[2]),
                     RFI_SHARED_FULL | RFI_SHARED_SHELVED);
    rfi_span_t *span = rfi_shelf_pop(&rfi_heap_orphans, other, c);

    assert_ptr_equal(span, span_of(blocks[2]));
    assert_ptr_equal(atomic_load(&span->owner), other);
    assert_ptr_equal(atomic_load(&span->owner_fast), other);
    rfi_shelf_orphan(span);
    audit_all();
    assert_ptr_equal(owner_of(blocks[2]), &rfi_heap_orphans);
    release(mine, blocks[2]);
    assert_null(atomic_load(&span->owner));
}

static void
a_whole_shelf_goes_to_the_orphans(void **state)
{
    void *blocks[BIG_BLOCKS];
    void *next = fill_span(mine, blocks);

    (void)state;
    release(other, blocks[0]);
    rfi_shelf_orphan_all(mine);
    audit_all();
    assert_ptr_equal(owner_of(blocks[1]), &rfi_heap_orphans);
    assert_int_equal(flags_of(blocks[1]),
                     RFI_SHARED_FULL | RFI_SHARED_SHELVED);
    assert_int_equal(mine->shelf.classes, 0);
    release_many(other, blocks + 1, BIG_BLOCKS - 1);
    assert_int_equal(rfi_heap_orphans.shelf.classes, 0);
    release(mine, next);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        heap_test(others_push_before_the_owner_lets_go),
        heap_test(others_free_an_eighth_and_the_span_is_shelved),
        heap_test(others_free_all_and_the_last_claims),
        heap_test(one_push_of_all_blocks_claims),
        heap_test(the_owner_wakes_a_shelved_span),
        heap_test(the_shelf_is_first_in_first_out),
        heap_test(a_heap_without_a_thread_passes_to_the_orphans),
        heap_test(what_an_ended_owner_has_freed_counts),
        heap_test(an_orphan_keeps_its_blocks),
        heap_test(a_whole_shelf_goes_to_the_orphans),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
