/* SPDX-License-Identifier: MIT
 *
 * The slow paths of all operations: every kind of wrong pointer gets its
 * fault and its reason, with the block it lies in; what the options do about
 * it; and what a busy heap does instead.
 */
#include "front/front.h"

#include <stdlib.h>
#include <string.h>

#include "core/config.h"
#include "front/emergency.h"
#include "front/slow.h"
#include "front/unowned.h"
#include "heap/heap_pool.h"
#include "mem/directory.h"
#include "mem/large.h"
#include "support/fault_catcher.h"
#include "support/test.h"

#define LARGE ((size_t)300000)
#define HUGE (RFI_HUGE_MIN + 4096)

static rfi_heap_t *heap;

static int
start(void **state)
{
    (void)state;
    heap = rfi_heap_pool_take();
    rfi_thread_heap = heap;
    return heap != NULL && rfi_emergency_start() ? 0 : -1;
}

static int
install_catcher(void **state)
{
    (void)state;
    fault_catcher_install();
    return 0;
}

static int
check_heap(void **state)
{
    (void)state;
    fault_catcher_remove();
    return rfi_heap_audit(heap);
}

#define front_test(function) \
    cmocka_unit_test_setup_teardown(function, install_catcher, check_heap)

static void *
allocate(size_t size)
{
    void *block = rfi_front_alloc(heap, size);

    assert_non_null(block);
    return block;
}

static void
release(void *block)
{
    rfi_front_free(heap, block, "free");
}

/* Exactly one fault more, as described. */
static void
expect_fault(rfi_fault_kind_t kind, const char *reason, const void *address,
             const void *block, size_t block_size)
{
    assert_int_equal(fault_catcher_count, 1);
    assert_int_equal(fault_catcher_last.kind, kind);
    assert_string_equal(fault_catcher_last.reason, reason);
    assert_ptr_equal(fault_catcher_last.address, address);
    assert_ptr_equal(fault_catcher_last.block, block);
    assert_int_equal(fault_catcher_last.block_size, block_size);
    assert_non_null(fault_catcher_last.knob);
    assert_non_null(fault_catcher_last.function);
    fault_catcher_count = 0;
}

/* All three operations that take a pointer refuse it for the same reason. */
static void
expect_refusal(void *pointer, const char *reason, const void *block,
               size_t block_size)
{
    rfi_front_free(heap, pointer, "free");
    expect_fault(RFI_FAULT_BAD_FREE, reason, pointer, block, block_size);
    assert_string_equal(fault_catcher_last.function, "free");
    assert_null(rfi_front_resize(heap, pointer, 100));
    expect_fault(RFI_FAULT_BAD_REALLOC, reason, pointer, block, block_size);
    assert_int_equal(rfi_front_usable(pointer), 0);
    expect_fault(RFI_FAULT_BAD_USABLE_SIZE, reason, pointer, block,
                 block_size);
}

static void
refuses_what_was_never_ours(void **state)
{
    int on_stack = 0;
    static int in_data;
    char *block = allocate(64);
    char *wild = (char *)0x4141414141414140;

    (void)state;
    expect_refusal(&on_stack, "no memory of ours", NULL, 0);
    expect_refusal(&in_data, "no memory of ours", NULL, 0);
    expect_refusal(wild, "no memory of ours", NULL, 0);
    expect_refusal((char *)16, "no memory of ours", NULL, 0);
    expect_refusal((char *)UINTPTR_MAX, "no memory of ours", NULL, 0);
    release(block);
}

static void
refuses_the_inside_of_blocks(void **state)
{
    char *small = allocate(100);
    char *wide = allocate(60000);
    char *large = allocate(LARGE);
    char *huge = allocate(HUGE);

    (void)state;
    expect_refusal(small + 16, "inside a block", small, 112);
    expect_refusal(small + 1, "inside a block", small, 112);
    expect_refusal(wide + 16, "inside a block", wide, 65536);
    expect_refusal(large + 65536, "inside a block", large,
                   rfi_front_usable(large));
    expect_refusal(huge + 16, "inside a block", huge, rfi_front_usable(huge));
    expect_refusal(huge + RFI_HUGE_MIN / 2, "inside a block", huge,
                   rfi_front_usable(huge));
    release(small);
    release(wide);
    release(large);
    release(huge);
    assert_int_equal(fault_catcher_count, 0);
}

static void
refuses_what_was_never_cut(void **state)
{
    char *block = allocate(60000);

    (void)state;
    expect_refusal(block + 6 * 65536, "never allocated", NULL, 0);
    release(block);
}

static void
refuses_a_second_free(void **state)
{
    char *small = allocate(100);
    char *keep = allocate(100);
    char *large = allocate(LARGE);
    char *huge = allocate(HUGE);

    (void)state;
    release(small);
    release(small);
    expect_fault(RFI_FAULT_DOUBLE_FREE, "the block is free already", small,
                 small, 112);
    release(large);
    release(large);
    expect_fault(RFI_FAULT_BAD_FREE, "not allocated, or freed already", large,
                 NULL, 0);
    release(huge);
    rfi_front_free(heap, huge, "free");
    assert_int_equal(fault_catcher_count, 1);
    fault_catcher_count = 0;
    release(keep);
}

static void
accepts_a_block_that_holds_the_key(void **state)
{
    rfi_block_t *block = allocate(100);

    (void)state;
    block->key = rfi_directory_find_head(block);
    release(block);
    assert_int_equal(fault_catcher_count, 0);
}

static void
refuses_the_block_of_a_span_that_is_gone(void **state)
{
    char *blocks[9];

    (void)state;
    for (unsigned i = 0; i < 9; i++) {
        blocks[i] = allocate(8192);
    }
    for (unsigned i = 0; i < 8; i++) {
        release(blocks[i]);
    }
    expect_refusal(blocks[3], "freed already", NULL, 0);
    release(blocks[8]);
}

static void
reports_a_link_that_was_overwritten(void **state)
{
    rfi_block_t *first = allocate(64);
    unsigned c = rfi_size_class_of(64);

    (void)state;
    rfi_block_t *next = heap->cache[c];

    assert_non_null(next);
    next->next = (rfi_block_t *)(uintptr_t)0x4242424242424240;
    void *block = allocate(64);

    expect_fault(RFI_FAULT_CORRUPTED_LINK, "a free block was written to",
                 next, next, 64);
    assert_ptr_not_equal(block, next);
    release(block);
    release(first);
}

static void
ignores_when_told_to(void **state)
{
    char *block = allocate(100);

    (void)state;
    atomic_store(&rfi_config.unowned, RFI_UNOWNED_IGNORE);
    release(block + 16);
    assert_null(rfi_front_resize(heap, block + 16, 10));
    assert_int_equal(rfi_front_usable(block + 16), 0);
    assert_int_equal(fault_catcher_count, 0);
    atomic_store(&rfi_config.unowned, RFI_UNOWNED_ABORT);
    release(block);
}

static void *forwarded;

static void
next_free(void *pointer)
{
    forwarded = pointer;
}

static void *
next_realloc(void *pointer, size_t size)
{
    return size == 77 ? pointer : NULL;
}

static size_t
next_usable(void *pointer)
{
    return pointer != NULL ? 88 : 0;
}

static rfi_next_malloc_t
find_next(void)
{
    return (rfi_next_malloc_t){next_free, next_realloc, next_usable};
}

static void
forwards_when_told_to(void **state)
{
    int stranger;

    (void)state;
    atomic_store(&rfi_config.unowned, RFI_UNOWNED_FORWARD);
    expect_refusal(&stranger, "no memory of ours", NULL, 0); /* nobody there */
    rfi_find_next_malloc = find_next;
    release(&stranger);
    assert_ptr_equal(forwarded, &stranger);
    assert_ptr_equal(rfi_front_resize(heap, &stranger, 77), &stranger);
    assert_int_equal(rfi_front_usable(&stranger), 88);
    assert_int_equal(fault_catcher_count, 0);
    rfi_find_next_malloc = NULL;
    atomic_store(&rfi_config.unowned, RFI_UNOWNED_ABORT);
}

static void
serves_a_busy_heap_from_the_arena(void **state)
{
    char *mine = allocate(100);

    (void)state;
    assert_true(rfi_heap_enter(heap));
    char *small = rfi_front_alloc(heap, 100);
    char *zeroed = rfi_front_alloc_zeroed(heap, LARGE);
    char *aligned = rfi_front_alloc_aligned(heap, 100, 4096);

    assert_int_equal(rfi_directory_find_head(small)->kind,
                     RFI_SPAN_EMERGENCY);
    assert_int_equal(zeroed[LARGE - 1], 0);
    assert_int_equal((uintptr_t)aligned % 4096, 0);
    assert_int_equal(rfi_front_usable(small), 100);
    release(mine);
    assert_true(rfi_heap_has_deferred());
    rfi_heap_leave(heap);

    strcpy(small, "kept");
    char *moved = rfi_front_resize(heap, small, 1000);

    assert_string_equal(moved, "kept");
    assert_false(rfi_heap_has_deferred());
    release(moved);
    release(zeroed);
    release(aligned);
    release(aligned);
    expect_fault(RFI_FAULT_BAD_FREE, "no live block of the emergency arena",
                 aligned, NULL, 0);
}

static void
refuses_sizes_beyond_all_bounds(void **state)
{
    char *block = allocate(100);

    (void)state;
    assert_null(rfi_front_alloc(heap, RFI_REQUEST_MAX + 1));
    assert_null(rfi_front_alloc_zeroed(heap, SIZE_MAX));
    assert_null(rfi_front_alloc_aligned(heap, SIZE_MAX, 64));
    assert_null(rfi_front_alloc_aligned(heap, 1, (SIZE_MAX >> 1) + 1));
    assert_null(rfi_front_resize(heap, block, SIZE_MAX));
    release(block);
    assert_int_equal(fault_catcher_count, 0);
}

static void
resizes_in_place_while_it_fits(void **state)
{
    char *block = allocate(112);

    (void)state;
    assert_ptr_equal(rfi_front_resize(heap, block, 112), block);
    assert_ptr_equal(rfi_front_resize(heap, block, 56), block);
    strcpy(block, "content");
    char *smaller = rfi_front_resize(heap, block, 55);

    assert_ptr_not_equal(smaller, block);
    assert_string_equal(smaller, "content");
    char *large = rfi_front_resize(heap, smaller, LARGE);
    char *huge = rfi_front_resize(heap, large, HUGE);
    char *small = rfi_front_resize(heap, huge, 10);

    assert_memory_equal(small, "content", 8);
    release(small);
    assert_int_equal(fault_catcher_count, 0);
}

static void
zeroes_whatever_the_memory_held(void **state)
{
    static const size_t sizes[] = {1, 16, 100, 5000, 60000, LARGE, HUGE};

    (void)state;
    for (unsigned i = 0; i < 3 * sizeof(sizes) / sizeof(sizes[0]); i++) {
        size_t size = sizes[i / 3];
        char *block = rfi_front_alloc_zeroed(heap, size);

        assert_non_null(block);
        assert_int_equal(block[0], 0);
        assert_int_equal(memcmp(block, block + 1, size - 1), 0);
        memset(block, 0xa5, size);
        release(block);
    }
}

static void
aligns_up_to_a_gibibyte(void **state)
{
    (void)state;
    for (size_t align = 16; align <= (size_t)1 << 30; align *= 2) {
        char *block = rfi_front_alloc_aligned(heap, 100, align);

        assert_non_null(block);
        assert_int_equal((uintptr_t)block % align, 0);
        assert_true(rfi_front_usable(block) >= 100);
        block[99] = 1;
        release(block);
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        front_test(refuses_what_was_never_ours),
        front_test(refuses_the_inside_of_blocks),
        front_test(refuses_what_was_never_cut),
        front_test(refuses_a_second_free),
        front_test(accepts_a_block_that_holds_the_key),
        front_test(refuses_the_block_of_a_span_that_is_gone),
        front_test(reports_a_link_that_was_overwritten),
        front_test(ignores_when_told_to),
        front_test(forwards_when_told_to),
        front_test(serves_a_busy_heap_from_the_arena),
        front_test(refuses_sizes_beyond_all_bounds),
        front_test(resizes_in_place_while_it_fits),
        front_test(zeroes_whatever_the_memory_held),
        front_test(aligns_up_to_a_gibibyte),
    };

    return cmocka_run_group_tests(tests, start, NULL);
}
