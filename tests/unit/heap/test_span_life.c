/* SPDX-License-Identifier: MIT
 *
 * Birth, cutting and death of a span of every class.
 */
#include "heap/span_life.h"

#include "heap_test.h"

static void
end_life(rfi_heap_t *heap, rfi_span_t *span)
{
    rfi_shelf_disown(mine, span);
    rfi_span_destroy(heap, span);
}

static void
is_born_empty_and_owned(void **state)
{
    (void)state;
    for (unsigned c = 0; c < RFI_CLASS_COUNT; c++) {
        const rfi_size_class_t *info = &rfi_size_classes[c];
        rfi_span_t *span = rfi_span_create(mine, c);

        assert_non_null(span);
        assert_ptr_equal(atomic_load(&span->owner), mine);
        assert_ptr_equal(atomic_load(&span->owner_fast), mine);
        assert_int_equal(span->size_class, c);
        assert_int_equal(span->block_size, info->block_size);
        assert_int_equal(span->granules, info->granules);
        assert_int_equal(span->capacity, info->capacity);
        assert_int_equal(span->state, RFI_STATE_NEW);
        assert_int_equal(rfi_span_carved(span), span->colour);
        assert_int_equal(rfi_span_out(span), 0);
        assert_true(rfi_span_is_empty(span));
        assert_int_equal((uintptr_t)rfi_directory_address(span)
                             % (info->granules * RFI_GRANULE_SIZE),
                         0);
        end_life(mine, span);
    }
    rfi_span_drop_cached(mine);
}

/* Cuts all there is; every block once, in order, within the span. */
static void
cut_all(rfi_span_t *span)
{
    char *start = rfi_directory_address(span);
    char *expected = start + (size_t)span->colour * span->block_size;

    while (rfi_span_has_uncut(span)) {
        uint32_t before = rfi_span_carved(span);
        rfi_block_t *block = rfi_span_cut(span);
        uint32_t count = 0;

        for (; block != NULL; block = block->next) {
            assert_ptr_equal(block, expected);
            expected += span->block_size;
            count++;
        }
        assert_int_equal(rfi_span_carved(span), before + count);
        assert_true(count == 1 || count * span->block_size <= 16384);
    }
    assert_int_equal(rfi_span_out(span), span->capacity - span->colour);
    assert_true(expected <= start + span->granules * RFI_GRANULE_SIZE);
    assert_true(expected + span->block_size
                > start + span->granules * RFI_GRANULE_SIZE);
}

static void
is_cut_from_the_first_block_to_the_last(void **state)
{
    (void)state;
    for (unsigned round = 0; round < 2; round++) {
        for (unsigned c = 0; c < RFI_CLASS_COUNT; c++) {
            rfi_span_t *span = rfi_span_create(mine, c);

            cut_all(span);
            end_life(NULL, span);
        }
    }
}

static void
clean_memory_is_cut_by_the_page(void **state)
{
    (void)state;
    (void)rfi_granule_purge(0, true);
    rfi_span_t *span = rfi_span_create(mine, 0);

    assert_int_equal(span->flags, RFI_SPAN_ZERO);
    (void)rfi_span_cut(span);
    assert_int_equal(rfi_span_out(span), 4096 / 16);
    end_life(NULL, span);
    span = rfi_span_create(mine, 0);
    assert_int_equal(span->flags, 0);
    (void)rfi_span_cut(span);
    assert_int_equal(rfi_span_out(span), 16384 / 16);
    end_life(NULL, span);
}

static void
neighbours_have_different_colours(void **state)
{
    rfi_span_t *spans[4];
    unsigned colours = 0;

    (void)state;
    for (unsigned i = 0; i < 4; i++) {
        spans[i] = rfi_span_create(mine, 3);
        colours |= 1u << spans[i]->colour;
    }
    assert_int_equal(colours, 15);
    for (unsigned i = 0; i < 4; i++) {
        end_life(NULL, spans[i]);
    }
}

static void
a_heap_keeps_four_granules(void **state)
{
    rfi_span_t *spans[6];

    (void)state;
    for (unsigned i = 0; i < 6; i++) {
        spans[i] = rfi_span_create(mine, 3);
    }
    for (unsigned i = 0; i < 6; i++) {
        end_life(mine, spans[i]);
        assert_int_equal(spans[i]->kind,
                         i < 4 ? RFI_SPAN_CACHED : RFI_SPAN_NONE);
        assert_int_equal(mine->granules_cached, i < 4 ? i + 1 : 4);
        assert_null(atomic_load(&spans[i]->owner_fast));
    }
    /* Its content is not known to be zero any more. */
    assert_ptr_equal(rfi_span_create(mine, 5), spans[3]);
    assert_int_equal(spans[3]->flags, 0);
    assert_int_equal(spans[3]->kind, RFI_SPAN_SMALL);
    end_life(mine, spans[3]);
    rfi_span_drop_cached(mine);
    assert_int_equal(mine->granules_cached, 0);
    assert_int_equal(spans[3]->kind, RFI_SPAN_NONE);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        heap_test(is_born_empty_and_owned),
        heap_test(is_cut_from_the_first_block_to_the_last),
        heap_test(clean_memory_is_cut_by_the_page),
        heap_test(neighbours_have_different_colours),
        heap_test(a_heap_keeps_four_granules),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
