/* SPDX-License-Identifier: MIT
 *
 * Heaps come back warmest first, idle ones are emptied in time, and a child
 * of fork keeps what is whole and freezes what is not.
 */
#include "heap_test.h"

#include <unistd.h>

#include "os/process.h"
#include "support/child.h"

static void
the_last_heap_given_comes_first(void **state)
{
    uint32_t count = rfi_heap_pool_count();

    (void)state;
    rfi_heap_pool_give(mine);
    rfi_heap_pool_give(other);
    assert_ptr_equal(rfi_heap_pool_take(), other);
    assert_ptr_equal(rfi_heap_pool_take(), mine);
    assert_int_equal(rfi_heap_pool_count(), count);
}

static void
a_heap_keeps_its_memory_in_the_pool(void **state)
{
    void *blocks[2];

    (void)state;
    allocate_many(mine, BIG, blocks, 2);
    release(mine, blocks[1]);
    rfi_heap_pool_give(mine);
    assert_true(mine->shelf.detached);
    assert_ptr_equal(owner_of(blocks[0]), mine);
    assert_ptr_equal(rfi_heap_pool_take(), mine);
    assert_false(mine->shelf.detached);
    assert_ptr_equal(allocate(mine, BIG), blocks[1]);
    release_many(mine, blocks, 2);
}

static void
giving_hands_over_the_batches(void **state)
{
    void *block = allocate(mine, BIG);

    (void)state;
    rfi_remote_free(other, span_of(block), block);
    rfi_heap_pool_give(other);
    assert_int_equal(shared_count(block), 1);
    assert_int_equal(other->busy, 0);
    assert_ptr_equal(rfi_heap_pool_take(), other);
}

static void
idle_heaps_are_emptied_in_time(void **state)
{
    void *blocks[2];

    (void)state;
    allocate_many(mine, BIG, blocks, 2);
    rfi_heap_pool_give(mine);
    uint64_t since = mine->idle_since_ms;

    rfi_heap_pool_sweep(since + 249, false);
    assert_ptr_equal(owner_of(blocks[0]), mine);
    rfi_heap_pool_sweep(since + 250, false);
    assert_ptr_equal(owner_of(blocks[0]), &rfi_heap_orphans);
    audit_all();
    assert_true(mine->swept);
    rfi_heap_pool_sweep(since + 1000, true);
    assert_ptr_equal(rfi_heap_pool_take(), mine);
    release_many(mine, blocks, 2);
}

static void
a_swept_heap_goes_behind_those_with_memory(void **state)
{
    (void)state;
    rfi_heap_pool_give(third);
    rfi_heap_pool_sweep(0, true);
    rfi_heap_pool_give(other);
    rfi_heap_pool_sweep(other->idle_since_ms, false);
    assert_ptr_equal(rfi_heap_pool_take(), other);
    assert_ptr_equal(rfi_heap_pool_take(), third);
}

static void
count_visit(rfi_heap_t *heap, void *context)
{
    unsigned *count = context;

    assert_int_equal(heap->number, rfi_heap_pool_count() - 1 - *count);
    ++*count;
}

static void
walks_all_heaps(void **state)
{
    unsigned count = 0;

    (void)state;
    rfi_heap_pool_walk(count_visit, &count);
    assert_int_equal(count, rfi_heap_pool_count());
}

static void
look_around_in_the_child(void *argument)
{
    void **blocks = argument;

    rfi_heap_pool_fork_child(mine);
    rfi_lock_forget_held();
    bool right = !mine->idle && other->idle && other->shelf.detached
                 && atomic_load(&third->frozen) && !third->idle;

    /* The frozen heap's block is dropped, the pooled one's is not. */
    rfi_remote_push(mine, span_of(blocks[0]), blocks[0], blocks[0], 1);
    rfi_remote_push(mine, span_of(blocks[1]), blocks[1], blocks[1], 1);
    right = right && shared_count(blocks[0]) == 0
            && shared_count(blocks[1]) == 1
            && rfi_heap_pool_take() == other;
    _exit(right ? 7 : 1);
}

static void
the_child_of_fork_sorts_the_heaps(void **state)
{
    void *blocks[2] = {allocate(third, BIG), allocate(other, BIG)};
    child_t child;

    (void)state;
    atomic_store(&third->busy, 1);
    rfi_heap_pool_fork_prepare();
    child_run(&child, look_around_in_the_child, blocks);
    rfi_heap_pool_fork_parent();
    atomic_store(&third->busy, 0);
    assert_int_equal(child.exit_status, 7);
    release(third, blocks[0]);
    release(other, blocks[1]);
}

/* From here on the pool holds more heaps than the three. */
static void
a_heap_is_made_when_none_is_idle(void **state)
{
    uint32_t count = rfi_heap_pool_count();
    rfi_heap_t *fresh = rfi_heap_pool_take();

    (void)state;
    assert_int_equal(rfi_heap_pool_count(), count + 1);
    assert_int_equal(fresh->number, count);
    assert_int_equal(rfi_heap_audit(fresh), 0);
    rfi_heap_pool_give(fresh);
}

static void
no_memory_no_heap(void **state)
{
    static rfi_heap_t *taken[10000];
    unsigned count = 0;

    (void)state;
    rfi_fail_arm(1, UINT64_MAX - 1);
    while (count < 10000
           && (taken[count] = rfi_heap_pool_take()) != NULL) {
        count++;
    }
    rfi_fail_arm(0, 0);
    assert_true(count < 10000);
    while (count != 0) {
        rfi_heap_pool_give(taken[--count]);
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        heap_test(the_last_heap_given_comes_first),
        heap_test(a_heap_keeps_its_memory_in_the_pool),
        heap_test(giving_hands_over_the_batches),
        heap_test(idle_heaps_are_emptied_in_time),
        heap_test(a_swept_heap_goes_behind_those_with_memory),
        heap_test(walks_all_heaps),
        heap_test(the_child_of_fork_sorts_the_heaps),
        heap_test(a_heap_is_made_when_none_is_idle),
        heap_test(no_memory_no_heap),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
