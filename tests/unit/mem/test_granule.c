/* SPDX-License-Identifier: MIT
 *
 * Runs of granules: where they lie, what their descriptors say, growing and
 * shrinking in place, zero pages, and what happens without memory.
 */
#include "mem/granule.h"

#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/random.h"
#include "core/lock.h"
#include "mem/directory.h"
#include "mem/granule_space.h"
#include "mem_test.h"

static rfi_span_t *
take(uint32_t count, uint32_t align)
{
    rfi_span_t *head = rfi_granule_take(count, align, RFI_SPAN_SMALL);

    assert_non_null(head);
    assert_int_equal(head->kind, RFI_SPAN_SMALL);
    assert_int_equal(head->granules, count);
    assert_int_equal((uintptr_t)rfi_directory_address(head)
                         % (align * RFI_GRANULE_SIZE),
                     0);
    return head;
}

static char *
bytes_of(const rfi_span_t *head)
{
    return rfi_directory_address(head);
}

static rfi_granule_stats_t
stats(void)
{
    rfi_granule_stats_t result;

    rfi_granule_stats(&result);
    return result;
}

static int
start_clean(void **state)
{
    (void)state;
    never_fail();
    (void)rfi_granule_purge(0, true);
    return stats().used_bytes == 0 && rfi_granule_audit() == 0 ? 0 : -1;
}

static void
describes_every_granule(void **state)
{
    rfi_span_t *head = take(5, 1);

    (void)state;
    assert_null(head->owner_fast);
    assert_null(head->owner);
    for (size_t i = 0; i < 5 * RFI_GRANULE_SIZE; i += 4096) {
        assert_ptr_equal(rfi_directory_find_head(bytes_of(head) + i), head);
    }
    assert_sound();
    char *start = bytes_of(head);

    rfi_granule_give(head, false);
    for (size_t i = 0; i < 5; i++) {
        const char *span = (const char *)rfi_directory_find(
            start + i * RFI_GRANULE_SIZE);

        assert_true(is_all(span, sizeof(rfi_span_t), 0));
    }
    assert_sound();
}

static void
prefers_low_addresses(void **state)
{
    rfi_span_t *spans[200];

    (void)state;
    for (int i = 0; i < 200; i++) { /* several segments */
        spans[i] = take(1, 1);
    }
    char *lowest = bytes_of(spans[0]);

    for (int i = 1; i < 200; i++) {
        lowest = bytes_of(spans[i]) < lowest ? bytes_of(spans[i]) : lowest;
    }
    for (int i = 0; i < 200; i++) {
        rfi_granule_give(spans[i], true);
    }
    rfi_span_t *again = take(1, 1);

    assert_ptr_equal(bytes_of(again), lowest);
    rfi_granule_give(again, true);
    assert_sound();
}

static void
prefers_dirty_runs_in_a_segment(void **state)
{
    rfi_span_t *low = take(2, 1);
    rfi_span_t *high = take(2, 1);
    char *high_bytes = bytes_of(high);

    (void)state;
    assert_ptr_equal(high_bytes, bytes_of(low) + 2 * RFI_GRANULE_SIZE);
    rfi_granule_give(high, false);
    rfi_granule_give(low, true);
    rfi_span_t *dirty = take(2, 1);

    assert_ptr_equal(bytes_of(dirty), high_bytes);
    assert_int_equal(dirty->flags & RFI_SPAN_ZERO, 0);
    rfi_span_t *clean = take(2, 1);

    assert_true(bytes_of(clean) < high_bytes);
    assert_int_equal(clean->flags & RFI_SPAN_ZERO, RFI_SPAN_ZERO);
    assert_true(is_all(bytes_of(clean), 2 * RFI_GRANULE_SIZE, 0));
    rfi_granule_give(clean, true);
    rfi_granule_give(dirty, false);
}

static void
aligns(void **state)
{
    rfi_span_t *spans[14];
    int count = 0;

    (void)state;
    for (uint32_t align = 1; align <= 4096; align *= 2) {
        spans[count++] = take(3, align);
        assert_sound();
    }
    while (count > 0) {
        rfi_granule_give(spans[--count], false);
    }
    assert_sound();
}

static void
grows_and_shrinks_in_place(void **state)
{
    rfi_span_t *head = take(2, 1);
    bool zero = false;

    (void)state;
    assert_true(rfi_granule_grow(head, 6, &zero));
    assert_true(zero);
    assert_int_equal(head->granules, 6);
    assert_ptr_equal(
        rfi_directory_find_head(bytes_of(head) + 6 * RFI_GRANULE_SIZE - 1),
        head);
    assert_sound();
    memset(bytes_of(head), 1, 6 * RFI_GRANULE_SIZE);
    rfi_granule_shrink(head, 1);
    assert_int_equal(head->granules, 1);
    assert_null(
        rfi_directory_find_head(bytes_of(head) + RFI_GRANULE_SIZE));
    assert_sound();
    assert_true(rfi_granule_grow(head, 7, &zero));
    assert_false(zero); /* five of them were used */
    rfi_granule_shrink(head, 3);

    rfi_span_t *next = take(1, 1);

    assert_ptr_equal(bytes_of(next), bytes_of(head) + 3 * RFI_GRANULE_SIZE);
    assert_false(rfi_granule_grow(head, 4, &zero));
    assert_int_equal(head->granules, 3);
    assert_false(rfi_granule_grow(head, 1 << 20, &zero));
    rfi_granule_give(next, false);
    rfi_granule_give(head, false);
    assert_sound();
}

static void
counts(void **state)
{
    rfi_granule_stats_t before = stats();
    rfi_span_t *head = take(4, 1);

    (void)state;
    assert_int_equal(stats().used_bytes, 4 * RFI_GRANULE_SIZE);
    assert_int_equal(stats().takes, before.takes + 1);
    rfi_granule_give(head, false);
    assert_int_equal(stats().used_bytes, 0);
    assert_int_equal(stats().dirty_bytes, 4 * RFI_GRANULE_SIZE);
    assert_true(stats().mapped_bytes >= 4 * MIB);
    assert_int_equal(rfi_granule_purge(0, true), 4 * RFI_GRANULE_SIZE);
    assert_int_equal(stats().dirty_bytes, 0);
    assert_int_equal(stats().purged_bytes,
                     before.purged_bytes + 4 * RFI_GRANULE_SIZE);
    assert_int_equal(stats().purges, before.purges + 1);
}

static void
steady_state_makes_no_calls(void **state)
{
    (void)state;
    rfi_granule_give(take(16, 1), false);
    count_calls();
    for (uint32_t i = 0; i < 1000; i++) {
        rfi_granule_give(take(1 + i % 16, 1), false);
    }
    assert_int_equal(rfi_fail_calls(), 0);
    never_fail();
}

static void
says_when_memory_is_out(void **state)
{
    rfi_granule_stats_t before = stats();

    (void)state;
    rfi_fail_arm(1, FOR_EVER);
    assert_null(rfi_granule_take(3000, 1, RFI_SPAN_SMALL));
    never_fail();
    assert_int_equal(stats().used_bytes, before.used_bytes);
    assert_sound();
    rfi_granule_give(take(3000, 1), true);
}

/* What is cached is given up before a request fails: here a run that is in
 * the way of nothing, but which the kernel may want back. */
static void
reclaims_before_it_fails(void **state)
{
    rfi_granule_give(take(8, 1), false);

    (void)state;
    rfi_fail_arm(1, 2); /* both sizes of the first attempt */
    rfi_span_t *head = rfi_granule_take(300, 1, RFI_SPAN_SMALL);

    never_fail();
    assert_non_null(head);
    assert_int_equal(stats().dirty_bytes, 0);
    rfi_granule_give(head, true);
}

static void
commits_and_decommits_when_strict(void **state)
{
    rfi_span_t *spans[20];

    (void)state;
    rfi_segment_overcommit = 2;
    for (int i = 0; i < 20; i++) {
        spans[i] = take(40, 1);
        memset(bytes_of(spans[i]), 3, 40 * RFI_GRANULE_SIZE);
        assert_sound();
    }
    for (int i = 0; i < 20; i += 2) {
        rfi_granule_give(spans[i], false);
    }
    (void)rfi_granule_purge(0, true);
    assert_sound();
    for (int i = 0; i < 20; i += 2) {
        spans[i] = take(40, 1);
        assert_true(is_all(bytes_of(spans[i]), 40 * RFI_GRANULE_SIZE, 0));
        memset(bytes_of(spans[i]), 4, 40 * RFI_GRANULE_SIZE);
    }
    assert_sound();
    for (int i = 0; i < 20; i++) {
        rfi_granule_give(spans[i], false);
    }
    (void)rfi_granule_purge(0, true);
    assert_int_equal(stats().segments, 1);
    rfi_segment_overcommit = 0;
}

/* A strict system has no memory for more chunks: those that are committed
 * serve, though others lie lower. */
static void
uses_committed_chunks_first_when_strict(void **state)
{
    (void)state;
    rfi_segment_overcommit = 2;
    rfi_span_t *all = take(4096, 1); /* a segment of its own */
    char *start = bytes_of(all);

    rfi_granule_shrink(all, 1);
    rfi_span_t *rest = take(4095, 1);

    assert_ptr_equal(bytes_of(rest), start + RFI_GRANULE_SIZE);
    rfi_granule_shrink(rest, 100);
    (void)rfi_granule_purge(0, true); /* committed: up to granule 127 */
    rfi_fail_arm(1, FOR_EVER);
    for (int i = 0; i < 27; i++) {
        rfi_span_t *head = take(1, 1);

        assert_true(bytes_of(head) < start + 128 * RFI_GRANULE_SIZE);
        head->size_class = 1; /* ours, to be given below */
    }
    assert_null(rfi_granule_take(1, 1, RFI_SPAN_SMALL));
    never_fail();
    for (uint32_t i = 101; i < 128; i++) {
        rfi_granule_give(rfi_directory_find(start + i * RFI_GRANULE_SIZE),
                         false);
    }
    rfi_granule_give(rest, false);
    rfi_granule_give(all, false);
    assert_sound();
    rfi_segment_overcommit = 0;
}

/* Random work against a model: each span keeps its mark. */
static void
keeps_spans_apart(void **state)
{
    enum { SPANS = 300, ROUNDS = 6000 };
    static rfi_span_t *spans[SPANS];
    const uint8_t key[RFI_RANDOM_KEY_BYTES] = {3};
    rfi_random_t random;

    (void)state;
    rfi_random_seed(&random, key);
    for (int round = 0; round < ROUNDS; round++) {
        uint32_t i = rfi_random_below(&random, SPANS);
        uint32_t count = 1 + rfi_random_below(&random, 20);
        bool zero;

        if (spans[i] == NULL) {
            spans[i] = take(count, 1U << rfi_random_below(&random, 4));
            *(uint32_t *)(void *)bytes_of(spans[i]) = i;
            continue;
        }
        assert_int_equal(*(uint32_t *)(void *)bytes_of(spans[i]), i);
        if (count > spans[i]->granules) {
            (void)rfi_granule_grow(spans[i], count, &zero);
        } else if (count < spans[i]->granules && round % 2 == 0) {
            rfi_granule_shrink(spans[i], count);
        } else {
            rfi_granule_give(spans[i], false);
            spans[i] = NULL;
        }
        if (round % 64 == 0) {
            assert_sound();
        }
        if (round % 1000 == 0) {
            (void)rfi_granule_purge(0, true);
        }
    }
    for (uint32_t i = 0; i < SPANS; i++) {
        if (spans[i] != NULL) {
            rfi_granule_give(spans[i], false);
        }
    }
    (void)rfi_granule_purge(0, true);
    assert_sound();
    assert_int_equal(stats().segments, 1);
}

/* In the child, runs that another thread of the parent held are free. */
static void
recovers_held_runs_after_fork(void **state)
{
    rfi_span_t *head = take(3, 1);
    rfi_granule_space_t *space = &rfi_granule_space;
    rfi_run_t run = {.segment = space->index.slots[0].segment, .count = 2};

    (void)state;
    run.first = run.segment->granules - 2;
    rfi_granule_hold(&run);
    assert_sound();
    rfi_granule_fork_prepare();
    pid_t child = fork();

    if (child == 0) {
        rfi_lock_forget_held();
        rfi_granule_fork_child();
        _exit(rfi_granule_audit() == 0 && run.segment->held_count == 0
                      && rfi_granule_take(1, 1, RFI_SPAN_SMALL) != NULL
                  ? 0
                  : 1);
    }
    rfi_granule_fork_parent();
    int status;

    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    rfi_granule_unhold(&run, false, 0);
    rfi_granule_give(head, false);
    assert_sound();
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(describes_every_granule, start_clean),
        cmocka_unit_test_setup(prefers_low_addresses, start_clean),
        cmocka_unit_test_setup(prefers_dirty_runs_in_a_segment, start_clean),
        cmocka_unit_test_setup(aligns, start_clean),
        cmocka_unit_test_setup(grows_and_shrinks_in_place, start_clean),
        cmocka_unit_test_setup(counts, start_clean),
        cmocka_unit_test_setup(steady_state_makes_no_calls, start_clean),
        cmocka_unit_test_setup(says_when_memory_is_out, start_clean),
        cmocka_unit_test_setup(reclaims_before_it_fails, start_clean),
        cmocka_unit_test_setup(recovers_held_runs_after_fork, start_clean),
        cmocka_unit_test_setup(keeps_spans_apart, start_clean),
        cmocka_unit_test_setup(commits_and_decommits_when_strict,
                               start_clean),
        cmocka_unit_test_setup(uses_committed_chunks_first_when_strict,
                               start_clean),
    };

    rfi_segment_overcommit = 0; /* whatever the machine has */
    return cmocka_run_group_tests(tests, NULL, NULL);
}
