/* SPDX-License-Identifier: MIT
 *
 * A block with its span's key is free when some list has it, and not when a
 * program has only copied the key.
 */
#include "heap/double_free.h"

#include "heap_test.h"

static bool
is_free(const rfi_heap_t *heap, const void *block)
{
    return rfi_block_is_free(heap, span_of(block), block);
}

static void
finds_what_the_owner_has_freed(void **state)
{
    void *blocks[4];

    (void)state;
    allocate_many(mine, 64, blocks, 4);
    for (unsigned i = 0; i < 3; i++) {
        release(mine, blocks[i]);
    }
    assert_true(is_free(mine, blocks[0]));
    assert_true(is_free(mine, blocks[2]));
    assert_false(is_free(mine, blocks[3]));
    /* Others do not walk the owner's lists. */
    assert_false(is_free(other, blocks[0]));
    release(mine, blocks[3]);
}

static void
finds_what_waits_in_the_cache(void **state)
{
    void *blocks[3];

    (void)state;
    allocate_many(mine, BIG, blocks, 3);
    release_many(mine, blocks, 3);
    void *again = allocate(mine, BIG);

    assert_ptr_equal(again, blocks[2]);
    assert_true(is_free(mine, blocks[0]));
    assert_true(is_free(mine, blocks[1]));
    assert_false(is_free(mine, again));
    release(mine, again);
}

static void
finds_what_others_have_freed(void **state)
{
    void *blocks[3];

    (void)state;
    allocate_many(mine, 64, blocks, 3);
    rfi_remote_free(other, span_of(blocks[0]), blocks[0]);
    assert_true(is_free(other, blocks[0]));
    assert_false(is_free(third, blocks[0]));
    rfi_remote_flush(other);
    assert_true(is_free(other, blocks[0]));
    assert_true(is_free(third, blocks[0]));
    assert_true(is_free(mine, blocks[0]));
    assert_false(is_free(third, blocks[1]));
    release_many(mine, blocks + 1, 2);
}

static void
a_copied_key_proves_nothing(void **state)
{
    rfi_block_t *block = allocate(mine, 64);

    (void)state;
    block->key = span_of(block);
    assert_false(is_free(mine, block));
    release(mine, block);
}

static void
a_walk_ends_whatever_the_links_say(void **state)
{
    rfi_block_t *blocks[3];

    (void)state;
    allocate_many(mine, 64, (void **)blocks, 3);
    release(mine, blocks[0]);
    release(mine, blocks[1]);
    blocks[0]->next = blocks[1]; /* a ring */
    assert_false(is_free(mine, blocks[2]));
    blocks[0]->next = (rfi_block_t *)&blocks[0]; /* out of the span */
    assert_false(is_free(mine, blocks[2]));
    blocks[0]->next = NULL;
    release(mine, blocks[2]);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        heap_test(finds_what_the_owner_has_freed),
        heap_test(finds_what_waits_in_the_cache),
        heap_test(finds_what_others_have_freed),
        heap_test(a_copied_key_proves_nothing),
        heap_test(a_walk_ends_whatever_the_links_say),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
