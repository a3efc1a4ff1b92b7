/* SPDX-License-Identifier: MIT
 *
 * Return of granules to the kernel: by time, by share, all at once, never;
 * refusals; and segments that nobody needs.
 */
#include "mem/granule.h"

#include <string.h>
#include <sys/mman.h>

#include "core/config.h"
#include "mem/directory.h"
#include "mem/granule_space.h"
#include "mem_test.h"
#include "os/page.h"
#include "os/process.h"

#define DELAY 500

/* The clock of rfi_granule_purge(), ahead of the real one and never back. */
static uint64_t now_ms;

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
    rfi_config.dirty_decay_ms = DELAY;
    atomic_store(&rfi_granule_space.allowance, 0);
    atomic_store(&rfi_granule_space.regrettable, 0);
    now_ms = (now_ms < rfi_process_clock_ms() ? rfi_process_clock_ms()
                                              : now_ms)
        + 100 * DELAY;
    (void)rfi_granule_purge(now_ms, true);
    return stats().used_bytes == 0 && stats().dirty_bytes == 0
            && stats().segments <= 1 && rfi_granule_audit() == 0
        ? 0
        : -1;
}

static rfi_span_t *
take(uint32_t count)
{
    rfi_span_t *head = rfi_granule_take(count, 1, RFI_SPAN_LARGE);

    assert_non_null(head);
    return head;
}

static rfi_span_t *
take_touched(uint32_t count)
{
    rfi_span_t *head = take(count);

    memset(rfi_directory_address(head), 1, count * RFI_GRANULE_SIZE);
    return head;
}

static size_t
resident_bytes(void *start, size_t size)
{
    unsigned char present[4096];
    size_t pages = size / rfi_page_size();
    size_t count = 0;

    assert_true(pages <= sizeof(present));
    assert_int_equal(mincore(start, size, present), 0);
    for (size_t i = 0; i < pages; i++) {
        count += present[i] & 1;
    }
    return count * rfi_page_size();
}

static void
purges_after_the_delay(void **state)
{
    rfi_span_t *head = take_touched(16);
    char *start = rfi_directory_address(head);
    uint64_t given_ms = rfi_process_clock_ms();

    (void)state;
    rfi_granule_give(head, false);
    assert_int_equal(rfi_granule_purge(given_ms + DELAY / 2, false), 0);
    assert_int_equal(resident_bytes(start, 1 * MIB), 1 * MIB);
    /* The clock of give may have gone on a little. */
    assert_int_equal(rfi_granule_purge(now_ms + DELAY, false), 1 * MIB);
    assert_int_equal(resident_bytes(start, 1 * MIB), 0);
    assert_true(is_all(start, 1 * MIB, 0));
    assert_int_equal(stats().dirty_bytes, 0);
    assert_sound();
}

static void
purges_only_what_is_due(void **state)
{
    rfi_span_t *old = take_touched(4);
    rfi_span_t *between = take_touched(1);
    rfi_span_t *young = take_touched(4);
    rfi_segment_t *segment = rfi_granule_space.index.slots[0].segment;

    (void)state;
    rfi_granule_give(old, false);
    rfi_granule_give(young, false);
    /* As if the second had been given a second later than the first. */
    for (uint32_t i = 0; i < 4; i++) {
        segment->freed_ms[i] = (uint32_t)now_ms;
        segment->freed_ms[i + 5] = (uint32_t)now_ms + 1000;
    }
    assert_int_equal(rfi_granule_purge(now_ms + 1000, false),
                     4 * RFI_GRANULE_SIZE);
    assert_int_equal(stats().dirty_bytes, 4 * RFI_GRANULE_SIZE);
    assert_int_equal(rfi_granule_purge(now_ms + 1400, false), 0);
    assert_int_equal(rfi_granule_purge(now_ms + 1600, false),
                     4 * RFI_GRANULE_SIZE);
    rfi_granule_give(between, false);
    assert_sound();
}

/* The clock of another thread may be ahead. */
static void
future_is_not_due(void **state)
{
    rfi_segment_t *segment = rfi_granule_space.index.slots[0].segment;

    (void)state;
    rfi_granule_give(take(1), false);
    segment->freed_ms[0] = (uint32_t)now_ms + 4;
    assert_int_equal(rfi_granule_purge(now_ms, false), 0);
    assert_int_equal(rfi_granule_purge(now_ms, true), RFI_GRANULE_SIZE);
}

static void
looks_seldom(void **state)
{
    (void)state;
    rfi_granule_give(take_touched(1), false);
    assert_int_equal(rfi_granule_purge(now_ms, false), RFI_GRANULE_SIZE);
    rfi_granule_give(take_touched(1), false);
    assert_int_equal(rfi_granule_purge(now_ms + 1, false), 0);
    assert_int_equal(rfi_granule_purge(now_ms + DELAY, false),
                     RFI_GRANULE_SIZE);
}

static void
keeps_for_ever_when_told(void **state)
{
    (void)state;
    rfi_config.dirty_decay_ms = -1;
    rfi_granule_give(take(2048), false);
    assert_int_equal(rfi_granule_purge(now_ms + 3600000, false), 0);
    assert_int_equal(stats().dirty_bytes, 128 * MIB);
    assert_int_equal(rfi_granule_purge(now_ms, true), 128 * MIB);
}

static void
purges_at_once_when_told(void **state)
{
    (void)state;
    rfi_config.dirty_decay_ms = 0;
    rfi_granule_give(take_touched(100), false);
    assert_int_equal(stats().dirty_bytes, 0);
    rfi_span_t *head = take_touched(10);

    rfi_granule_shrink(head, 3);
    assert_int_equal(stats().dirty_bytes, 0);
    rfi_granule_give(head, false);
    assert_sound();
}

/* Frees 1 GiB and never calls purge: the excess goes. */
static void
bounds_the_dirty_share(void **state)
{
    rfi_span_t *spans[64];

    (void)state;
    for (int i = 0; i < 64; i++) {
        spans[i] = take(256);
    }
    for (int i = 0; i < 64; i++) {
        rfi_granule_give(spans[i], false);
        size_t used = stats().used_bytes;

        assert_true(stats().dirty_bytes
                    <= (used / 4 > 32 * MIB ? used / 4 : 32 * MIB));
    }
    assert_sound();
}

/* Frees and takes 64 MiB in turns: calls only in the beginning. */
static void
learns_what_is_needed_again(void **state)
{
    rfi_span_t *spans[16];

    (void)state;
    for (int round = 0; round < 50; round++) {
        if (round == 10) {
            count_calls();
        }
        for (int i = 0; i < 16; i++) {
            spans[i] = take(64);
        }
        for (int i = 0; i < 16; i++) {
            rfi_granule_give(spans[i], false);
        }
    }
    assert_int_equal(rfi_fail_calls(), 0);
    never_fail();
    assert_true(atomic_load(&rfi_granule_space.allowance) > 0);
    for (int i = 1; i < 1000; i++) {
        now_ms += DELAY;
        (void)rfi_granule_purge(now_ms, false);
    }
    assert_true(stats().dirty_bytes == 0);
}

static void
allowance_fades(void **state)
{
    (void)state;
    atomic_store(&rfi_granule_space.allowance, 10000);
    for (int i = 1; i < 2000; i++) {
        rfi_granule_give(take(1), false);
        now_ms += DELAY;
        (void)rfi_granule_purge(now_ms, false);
    }
    assert_int_equal(atomic_load(&rfi_granule_space.allowance), 0);
}

static void
stays_dirty_when_refused(void **state)
{
    rfi_span_t *head = take_touched(2);
    char *start = rfi_directory_address(head);

    (void)state;
    rfi_granule_give(head, false);
    rfi_fail_arm(1, FOR_EVER);
    assert_int_equal(rfi_granule_purge(now_ms, false), 0);
    assert_int_equal(rfi_granule_purge(now_ms, true), 0);
    never_fail();
    assert_int_equal(stats().dirty_bytes, 2 * RFI_GRANULE_SIZE);
    assert_true(is_all(start, 2 * RFI_GRANULE_SIZE, 1));
    assert_sound();
    head = rfi_granule_take(2, 1, RFI_SPAN_SMALL);
    assert_ptr_equal(rfi_directory_address(head), start);
    assert_int_equal(head->flags & RFI_SPAN_ZERO, 0);
    rfi_granule_give(head, false);
}

static void
gives_do_not_insist_after_a_refusal(void **state)
{
    (void)state;
    rfi_granule_give(take(512), false); /* at the limit */
    rfi_span_t *head = take_touched(1);

    rfi_granule_give(head, false);
    rfi_fail_arm(1, FOR_EVER);
    for (int i = 0; i < 100; i++) {
        rfi_span_t *more = rfi_granule_take(520, 1, RFI_SPAN_SMALL);

        if (more == NULL) {
            break;
        }
        rfi_granule_give(more, false);
    }
    assert_true(rfi_fail_calls() < 20);
    never_fail();
    assert_sound();
}

static void
unmaps_segments_that_are_free(void **state)
{
    rfi_span_t *spans[3];

    (void)state;
    for (int i = 0; i < 3; i++) {
        spans[i] = take(200); /* none fits the first segment */
    }
    assert_true(stats().segments >= 3);
    rfi_granule_give(spans[0], false);
    rfi_granule_give(spans[2], false);
    (void)rfi_granule_purge(now_ms + DELAY, false);
    assert_true(stats().segments <= 2);
    assert_sound();
    /* The kernel refuses: the segment is kept for the next need. */
    rfi_granule_give(spans[1], true);
    rfi_fail_arm(1, FOR_EVER);
    (void)rfi_granule_purge(now_ms, true);
    size_t mapped = stats().mapped_bytes;

    rfi_span_t *again = take(200);

    never_fail();
    assert_int_equal(stats().mapped_bytes, mapped);
    assert_sound();
    rfi_granule_give(again, false);
    (void)rfi_granule_purge(now_ms, true);
    assert_int_equal(stats().segments, 1);
    assert_true(stats().mapped_bytes <= 4 * MIB);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(purges_after_the_delay, start_clean),
        cmocka_unit_test_setup(purges_only_what_is_due, start_clean),
        cmocka_unit_test_setup(future_is_not_due, start_clean),
        cmocka_unit_test_setup(looks_seldom, start_clean),
        cmocka_unit_test_setup(keeps_for_ever_when_told, start_clean),
        cmocka_unit_test_setup(purges_at_once_when_told, start_clean),
        cmocka_unit_test_setup(bounds_the_dirty_share, start_clean),
        cmocka_unit_test_setup(learns_what_is_needed_again, start_clean),
        cmocka_unit_test_setup(allowance_fades, start_clean),
        cmocka_unit_test_setup(stays_dirty_when_refused, start_clean),
        cmocka_unit_test_setup(gives_do_not_insist_after_a_refusal,
                               start_clean),
        cmocka_unit_test_setup(unmaps_segments_that_are_free, start_clean),
    };

    rfi_segment_overcommit = 0; /* whatever the machine has */
    /* The first segment is mapped before the tests count on it. */
    rfi_granule_give(rfi_granule_take(1, 1, RFI_SPAN_SMALL), true);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
