/* SPDX-License-Identifier: MIT
 *
 * Bitmaps against the plainest possible model: an array of bool.
 */
#include "mem/bitmap.h"

#include <string.h>

#include "base/random.h"
#include "support/test.h"

#define BITS 300
#define ROUNDS 300

typedef struct pair {
    uint64_t words[(BITS + 63) / 64];
    bool model[BITS];
} pair_t;

static rfi_random_t random_numbers;

static uint32_t
below(uint32_t bound)
{
    return rfi_random_below(&random_numbers, bound);
}

static void
change(pair_t *pair, uint32_t first, uint32_t count, bool value)
{
    if (value) {
        rfi_bitmap_set(pair->words, first, count);
    } else {
        rfi_bitmap_clear(pair->words, first, count);
    }
    for (uint32_t i = first; i < first + count; i++) {
        pair->model[i] = value;
    }
}

/* Runs of random length and place, some of them across words. */
static void
scramble(pair_t *pair)
{
    memset(pair, 0, sizeof(*pair));
    for (uint32_t i = 0; i < below(20); i++) {
        uint32_t first = below(BITS);

        change(pair, first, below(BITS - first + 1), below(2) == 0);
    }
}

static uint32_t
model_next(const pair_t *pair, uint32_t from, uint32_t end, bool value)
{
    while (from < end && pair->model[from] != value) {
        from++;
    }
    return from < end ? from : end;
}

static uint32_t
model_last(const pair_t *pair, uint32_t end, bool value)
{
    while (end > 0 && pair->model[end - 1] != value) {
        end--;
    }
    return end == 0 ? RFI_BITMAP_NONE : end - 1;
}

static uint32_t
model_find(const pair_t *pair, uint32_t from, uint32_t end, uint32_t count,
           uint32_t align, uint32_t phase)
{
    for (uint32_t start = from; start + count <= end; start++) {
        if ((start + phase) % align == 0
            && model_next(pair, start, start + count, false)
                == start + count) {
            return start;
        }
    }
    return RFI_BITMAP_NONE;
}

static void
agrees_with_the_model(void **state)
{
    static pair_t pair;

    (void)state;
    for (int round = 0; round < ROUNDS; round++) {
        scramble(&pair);
        uint32_t members = 0;

        for (uint32_t i = 0; i < BITS; i++) {
            assert_int_equal(rfi_bitmap_has(pair.words, i), pair.model[i]);
            members += pair.model[i];
        }
        assert_int_equal(rfi_bitmap_count(pair.words, 0, BITS), members);
        for (uint32_t from = 0; from <= BITS; from++) {
            uint32_t end = from + below(BITS - from + 1);

            assert_int_equal(rfi_bitmap_next_set(pair.words, from, end),
                             model_next(&pair, from, end, true));
            assert_int_equal(rfi_bitmap_next_clear(pair.words, from, end),
                             model_next(&pair, from, end, false));
            assert_int_equal(rfi_bitmap_last_set(pair.words, end),
                             model_last(&pair, end, true));
            assert_int_equal(rfi_bitmap_last_clear(pair.words, end),
                             model_last(&pair, end, false));
        }
    }
}

static void
finds_runs_as_the_model(void **state)
{
    static pair_t pair;

    (void)state;
    for (int round = 0; round < 20 * ROUNDS; round++) {
        scramble(&pair);
        uint32_t from = below(BITS);
        uint32_t end = from + below(BITS - from + 1);
        uint32_t count = 1 + below(90);
        uint32_t align = 1U << below(7);
        uint32_t phase = below(align);

        assert_int_equal(
            rfi_bitmap_find_run(pair.words, from, end, count, align, phase),
            model_find(&pair, from, end, count, align, phase));
    }
}

int
main(void)
{
    const uint8_t key[RFI_RANDOM_KEY_BYTES] = {7};
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(agrees_with_the_model),
        cmocka_unit_test(finds_runs_as_the_model),
    };

    rfi_random_seed(&random_numbers, key);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
