/* SPDX-License-Identifier: MIT
 *
 * The audit of the granule layer finds each invariant broken.
 */
#include "mem/granule.h"

#include "mem/bitmap.h"
#include "mem/directory.h"
#include "mem/granule_space.h"
#include "mem_test.h"

static rfi_granule_space_t *const space = &rfi_granule_space;

/* A span of three granules in the first segment, and what it looks like. */
static rfi_span_t *head;
static rfi_segment_t *segment;
static uint32_t first;

static int
take_span(void **state)
{
    (void)state;
    head = rfi_granule_take(3, 1, RFI_SPAN_SMALL);
    if (head == NULL) {
        return -1;
    }
    segment = space->index.slots[0].segment;
    first = (uint32_t)(((char *)rfi_directory_address(head) - segment->start)
                       >> RFI_GRANULE_SHIFT);
    return rfi_granule_audit();
}

static int
give_span(void **state)
{
    (void)state;
    rfi_granule_give(head, true);
    return rfi_granule_audit();
}

static void
finds_a_broken_index(void **state)
{
    (void)state;
    assert_breaks(rfi_granule_audit, space->index.slots[0].start, 1, 1);
    assert_breaks(rfi_granule_audit, segment->granules, 0, 1);
}

static void
finds_wrong_counts(void **state)
{
    (void)state;
    assert_breaks(rfi_granule_audit, segment->free_count,
                  segment->free_count + 1, 2);
    assert_breaks(rfi_granule_audit, segment->dirty_count,
                  segment->dirty_count + 1, 2);
    assert_breaks(rfi_granule_audit, segment->dirty[0],
                  segment->dirty[0] | UINT64_C(1) << first,
                  2);
}

static void
finds_wrong_hints(void **state)
{
    (void)state;
    assert_breaks(rfi_granule_audit, segment->lowest, segment->granules, 3);
    assert_breaks(rfi_granule_audit, space->index.slots[0].room, 1, 3);
    assert_breaks(rfi_granule_audit, space->index.lowest, 1, 3);
}

static void
finds_broken_spans(void **state)
{
    rfi_span_t *second = head + 1;

    (void)state;
    assert_breaks(rfi_granule_audit, head->granules, 2, 4);
    assert_breaks(rfi_granule_audit, head->granules, 0, 4);
    assert_breaks(rfi_granule_audit, head->granules, 1 << 30, 4);
    assert_breaks(rfi_granule_audit, head->number, head->number + 1, 4);
    assert_breaks(rfi_granule_audit, head->kind, RFI_SPAN_HUGE, 4);
    assert_breaks(rfi_granule_audit, second->head_distance, 2, 4);
    assert_breaks(rfi_granule_audit, second->kind, RFI_SPAN_NONE, 4);
    assert_breaks(rfi_granule_audit, segment->held_count, 1, 4);
}

static void
finds_marks_on_free_granules(void **state)
{
    rfi_span_t *span = head + 3;

    (void)state;
    assert_false(rfi_bitmap_has(segment->free, first));
    assert_true(rfi_bitmap_has(segment->free, first + 3));
    assert_breaks(rfi_granule_audit, span->kind, RFI_SPAN_SMALL, 5);
    assert_breaks(rfi_granule_audit, span->requested, 1, 5);
    assert_breaks(rfi_granule_audit, span->owner_fast,
                  (struct rfi_heap *)(void *)span, 5);
}

static void
finds_wrong_sums(void **state)
{
    (void)state;
    assert_breaks(rfi_granule_audit, space->used, 2, 6);
    assert_breaks(rfi_granule_audit, space->dirty, 1, 6);
    assert_breaks(rfi_granule_audit, space->held, 1, 6);
    assert_breaks(rfi_granule_audit, space->segments, 7, 6);
}

static void
finds_spans_without_memory(void **state)
{
    (void)state;
    assert_breaks(rfi_granule_audit, segment->committed[0], 0, 7);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(finds_a_broken_index, take_span,
                                        give_span),
        cmocka_unit_test_setup_teardown(finds_wrong_counts, take_span,
                                        give_span),
        cmocka_unit_test_setup_teardown(finds_wrong_hints, take_span,
                                        give_span),
        cmocka_unit_test_setup_teardown(finds_broken_spans, take_span,
                                        give_span),
        cmocka_unit_test_setup_teardown(finds_marks_on_free_granules,
                                        take_span, give_span),
        cmocka_unit_test_setup_teardown(finds_wrong_sums, take_span,
                                        give_span),
        cmocka_unit_test_setup_teardown(finds_spans_without_memory,
                                        take_span, give_span),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
