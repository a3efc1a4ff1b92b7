/* SPDX-License-Identifier: MIT
 *
 * Large blocks: sizes, alignment, zeroed memory at the least cost, reuse
 * without system calls, resizing in place, and one winner among several that
 * free the same block.
 */
#include "mem/large.h"

#include <pthread.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include "mem/directory.h"
#include "mem/segment.h"
#include "mem_test.h"
#include "os/page.h"
#include "support/child.h"

static rfi_span_t *
head_of(const void *block)
{
    rfi_span_t *head = rfi_directory_find_head(block);

    assert_non_null(head);
    assert_ptr_equal(rfi_directory_address(head), block);
    return head;
}

static char *
alloc(size_t size, size_t align, bool zeroed)
{
    char *block = rfi_large_alloc(size, align, zeroed);

    assert_non_null(block);
    assert_int_equal((uintptr_t)block % align, 0);
    assert_int_equal(rfi_large_usable(head_of(block)),
                     (size + rfi_page_size() - 1) & ~(rfi_page_size() - 1));
    return block;
}

static void
release(void *block)
{
    assert_true(rfi_large_free(head_of(block)));
}

static rfi_large_stats_t
stats(void)
{
    rfi_large_stats_t result;

    rfi_large_stats(&result);
    return result;
}

static int
start_clean(void **state)
{
    (void)state;
    never_fail();
    (void)rfi_granule_purge(0, true);
    return stats().large_blocks == 0 && stats().large_bytes == 0
            && rfi_granule_audit() == 0
        ? 0
        : -1;
}

static void
serves_all_sizes(void **state)
{
    static const size_t sizes[] = {1, 64 * KIB, 64 * KIB + 1, 100000,
                                   1 * MIB, 3 * MIB + 4097,
                                   RFI_HUGE_MIN - 4096};

    (void)state;
    for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
        for (size_t align = 16; align <= 2 * MIB; align *= 2) {
            char *block = alloc(sizes[i], align, false);

            assert_int_equal(head_of(block)->kind, RFI_SPAN_LARGE);
            block[0] = 1;
            block[rfi_large_usable(head_of(block)) - 1] = 2;
            release(block);
        }
    }
    assert_sound();
}

static void
refuses_absurd_sizes(void **state)
{
    char *block = alloc(100 * KIB, 16, false);

    (void)state;
    for (size_t below = 0; below < 5000; below += 7) {
        assert_null(rfi_large_alloc(SIZE_MAX - below, 16, false));
        assert_null(rfi_large_alloc(PTRDIFF_MAX - below, 16, true));
        assert_null(rfi_large_resize(head_of(block), SIZE_MAX - below));
        assert_null(rfi_large_resize(head_of(block), PTRDIFF_MAX - below));
    }
    assert_null(rfi_large_alloc((size_t)1 << 47, 16, false));
    assert_int_equal(rfi_large_usable(head_of(block)), 100 * KIB);
    release(block);
}

static size_t
resident_bytes(const void *start, size_t size)
{
    unsigned char present[4096];
    size_t pages = size / rfi_page_size();
    size_t count = 0;

    assert_true(pages <= sizeof(present));
    assert_int_equal(mincore((void *)(uintptr_t)start, size, present), 0);
    for (size_t i = 0; i < pages; i++) {
        count += present[i] & 1;
    }
    return count * rfi_page_size();
}

static void
does_not_touch_fresh_memory(void **state)
{
    char *block = alloc(3 * MIB, 64 * KIB, true);

    (void)state;
    assert_int_equal(resident_bytes(block, 3 * MIB), 0);
    memset(block, 0x55, 3 * MIB);
    release(block);
    block = alloc(3 * MIB, 64 * KIB, true);
    assert_true(is_all(block, 3 * MIB, 0));
    release(block);
}

static void
mixed_runs_are_zeroed(void **state)
{
    char *blocks[3];

    (void)state;
    for (int i = 0; i < 3; i++) {
        blocks[i] = alloc(512 * KIB, 64 * KIB, false);
    }
    assert_ptr_equal(blocks[2], blocks[0] + 1 * MIB);
    memset(blocks[1], 0x77, 512 * KIB);
    /* The first and the last are clean again, the second is dirty. */
    release(blocks[0]);
    release(blocks[2]);
    (void)rfi_granule_purge(0, true);
    release(blocks[1]);
    char *block = alloc(1536 * KIB, 64 * KIB, true);

    assert_ptr_equal(block, blocks[0]);
    assert_int_equal(resident_bytes(block, 1536 * KIB), 512 * KIB);
    assert_true(is_all(block, 1536 * KIB, 0));
    release(block);
}

static void
never_touches_the_rest_of_the_last_granule(void **state)
{
    char *block;

    (void)state;
    block = alloc(65 * KIB, 16, false);
    memset(block, 1, 65 * KIB);
    release(block);
    block = alloc(65 * KIB, 16, true); /* dirty: cleared by hand */
    assert_int_equal(resident_bytes(block + 68 * KIB, 60 * KIB), 0);
    release(block);
}

static void
churns_without_calls(void **state)
{
    (void)state;
    release(alloc(RFI_HUGE_MIN - 4096, 16, false));
    count_calls();
    for (size_t size = 65 * KIB; size < RFI_HUGE_MIN; size += 100 * KIB) {
        char *first = alloc(size, 16, false);
        char *second;

        release(first);
        second = alloc(size, 16, false);
        assert_ptr_equal(first, second);
        release(second);
    }
    assert_int_equal(rfi_fail_calls(), 0);
    never_fail();
}

static void
resizes_in_place(void **state)
{
    char *block = alloc(1 * MIB, 16, false);

    (void)state;
    memset(block, 9, 1 * MIB);
    for (size_t size = 1 * MIB; size <= 3 * MIB; size += 77777) {
        assert_ptr_equal(rfi_large_resize(head_of(block), size), block);
        assert_true(rfi_large_usable(head_of(block)) >= size);
        block[size - 1] = 1;
    }
    assert_true(is_all(block, 1 * MIB - 1, 9));
    assert_ptr_equal(rfi_large_resize(head_of(block), 70 * KIB), block);
    assert_int_equal(rfi_large_usable(head_of(block)), 72 * KIB);
    assert_int_equal(stats().large_bytes, 72 * KIB);
    assert_int_equal(head_of(block)->granules, 2);
    assert_sound();

    char *next = alloc(70 * KIB, 16, false);

    assert_ptr_equal(next, block + 128 * KIB);
    assert_ptr_equal(rfi_large_resize(head_of(block), 128 * KIB), block);
    assert_null(rfi_large_resize(head_of(block), 128 * KIB + 1));
    assert_null(rfi_large_resize(head_of(block), 100 * MIB));
    assert_int_equal(rfi_large_usable(head_of(block)), 128 * KIB);
    release(next);
    release(block);
    assert_sound();
}

static void
frees_once(void **state)
{
    char *block = alloc(200 * KIB, 16, false);
    rfi_span_t *head = head_of(block);

    (void)state;
    assert_true(rfi_large_free(head));
    assert_false(rfi_large_free(head));
    /* Nor is another span harmed that begins there. */
    rfi_span_t *span = rfi_granule_take(4, 1, RFI_SPAN_SMALL);

    assert_ptr_equal(span, head);
    assert_false(rfi_large_free(head));
    rfi_granule_give(span, false);
    block = alloc(20 * MIB, 16, false);
    head = head_of(block);
    assert_true(rfi_large_free(head));
    assert_false(rfi_large_free(head));
    assert_sound();
}

enum { RACERS = 4, RACES = 2000 };

static pthread_barrier_t barrier;
static _Atomic(rfi_span_t *) contested;
static _Atomic(int) winners;

static void *
race(void *argument)
{
    for (int i = 0; i < RACES; i++) {
        pthread_barrier_wait(&barrier);
        if (rfi_large_free(contested)) {
            atomic_fetch_add(&winners, 1);
        }
        pthread_barrier_wait(&barrier);
    }
    return argument;
}

static void
one_of_several_frees_wins(void **state)
{
    pthread_t threads[RACERS];

    (void)state;
    pthread_barrier_init(&barrier, NULL, RACERS + 1);
    for (int i = 0; i < RACERS; i++) {
        pthread_create(&threads[i], NULL, race, NULL);
    }
    for (int i = 0; i < RACES; i++) {
        size_t size = i % 16 == 0 ? 17 * MIB : 100 * KIB;

        winners = 0;
        contested = head_of(alloc(size, 16, false));
        pthread_barrier_wait(&barrier);
        pthread_barrier_wait(&barrier);
        assert_int_equal(winners, 1);
    }
    for (int i = 0; i < RACERS; i++) {
        pthread_join(threads[i], NULL);
    }
    pthread_barrier_destroy(&barrier);
    assert_sound();
}

/* Fills the address space up, twice, and with another size. */
static void
fill_up(void *argument)
{
    struct rlimit limit = {.rlim_cur = 64 * MIB, .rlim_max = 64 * MIB};
    static void *blocks[640];
    int served[2];

    (void)argument;
    if (setrlimit(RLIMIT_AS, &limit) != 0) {
        _exit(2);
    }
    for (int round = 0; round < 2; round++) {
        int count = 0;

        while ((blocks[count] = rfi_large_alloc(100 * KIB, 16, true))
               != NULL) {
            count++;
        }
        served[round] = count;
        while (count > 0) {
            count--;
            if (!rfi_large_free(rfi_directory_find_head(blocks[count]))) {
                _exit(3);
            }
        }
    }
    bool all_served = served[0] > 300 && served[0] == served[1]
        && rfi_large_alloc(24 * MIB, 16, true) != NULL;

    _exit(all_served && rfi_granule_audit() == 0 ? 0 : 1);
}

static void
uses_a_small_address_space(void **state)
{
    child_t child;

    (void)state;
#if defined(RFI_ASAN) || defined(RFI_TSAN)
    skip(); /* the sanitizers themselves need more */
#endif
    child_run(&child, fill_up, NULL);
    assert_int_equal(child.signal, 0);
    assert_int_equal(child.exit_status, 0);
}

static void
counts(void **state)
{
    char *a = alloc(100 * KIB, 16, false);
    char *b = alloc(1 * MIB, 16, true);

    (void)state;
    assert_int_equal(stats().large_blocks, 2);
    assert_int_equal(stats().large_bytes, 100 * KIB + 1 * MIB);
    release(a);
    release(b);
    assert_int_equal(stats().large_blocks, 0);
    assert_int_equal(stats().large_bytes, 0);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(uses_a_small_address_space, start_clean),
        cmocka_unit_test_setup(serves_all_sizes, start_clean),
        cmocka_unit_test_setup(refuses_absurd_sizes, start_clean),
        cmocka_unit_test_setup(does_not_touch_fresh_memory, start_clean),
        cmocka_unit_test_setup(mixed_runs_are_zeroed, start_clean),
        cmocka_unit_test_setup(never_touches_the_rest_of_the_last_granule,
                               start_clean),
        cmocka_unit_test_setup(churns_without_calls, start_clean),
        cmocka_unit_test_setup(resizes_in_place, start_clean),
        cmocka_unit_test_setup(frees_once, start_clean),
        cmocka_unit_test_setup(one_of_several_frees_wins, start_clean),
        cmocka_unit_test_setup(counts, start_clean),
    };

    rfi_segment_overcommit = 0; /* whatever the machine has */
    return cmocka_run_group_tests(tests, NULL, NULL);
}
