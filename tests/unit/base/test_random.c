/* SPDX-License-Identifier: MIT
 *
 * The ChaCha8 stream: published test vectors, vectors of a second
 * implementation, and the statistics that callers rely on.
 */
#include "base/random.h"

#include <stdio.h>
#include <string.h>

#include "support/test.h"

#define BLOCK_BYTES 64

static const uint8_t zero_key[RFI_RANDOM_KEY_BYTES];

static const uint8_t counting_key[RFI_RANDOM_KEY_BYTES] = {
    0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13, 14, 15,
    16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31,
};

/* The next 64 bytes of the stream in hexadecimal. */
static void
assert_next_block(rfi_random_t *random, const char *expected)
{
    char text[2 * BLOCK_BYTES + 1];

    for (size_t i = 0; i < BLOCK_BYTES; i += 4) {
        uint32_t word = rfi_random_u32(random);

        for (size_t byte = 0; byte < 4; byte++) {
            snprintf(text + 2 * (i + byte), 3, "%02x",
                     word >> (8 * byte) & 0xff);
        }
    }
    assert_string_equal(text, expected);
}

static void
matches_the_published_vector(void **state)
{
    rfi_random_t random;

    (void)state;
    rfi_random_seed(&random, zero_key);
    assert_next_block(&random, "3e00ef2f895f40d67f5bb8e81f09a5a1"
                               "2c840ec3ce9a7f3b181be188ef711a1e"
                               "984ce172b9216f419f445367456d5619"
                               "314a42a3da86b001387bfdb80e0cfe42");
    assert_next_block(&random, "d2aefa0deaa5c151bf0adb6c01f2a5ad"
                               "c0fd581259f9a2aadcf20f8fd566a26b"
                               "5032ec38bbc5da98ee0c6f568b872a65"
                               "a08abf251deb21bb4b56e5d8821e68aa");
}

static void
uses_the_whole_key(void **state)
{
    rfi_random_t random;

    (void)state;
    rfi_random_seed(&random, counting_key);
    assert_next_block(&random, "4015b28f6e12ab6ad9e8667b31c51233"
                               "f78f172790b2d94f326b2ed7ffbcbecb"
                               "ff9ead365f89ce3b6f4055bc759d90fd"
                               "8f831d27c7b0df93b3b9ed8238a256d6");
}

static void
carries_into_the_high_word_of_the_counter(void **state)
{
    rfi_random_t random;

    (void)state;
    rfi_random_seed(&random, counting_key);
    random.state[12] = UINT32_MAX;
    for (int i = 0; i < 16; i++) {
        rfi_random_u32(&random);
    }
    assert_next_block(&random, "35d8868ee86b4981c3c19c27189c877f"
                               "1de016aeb4f5314b7425b94b60ab2670"
                               "0695a2976c7b1500006565413b962ff5"
                               "3f3c4791f48a409e4faa6fed4cf675f7");
}

static void
ratchets_to_a_derived_key(void **state)
{
    rfi_random_t random;

    (void)state;
    rfi_random_seed(&random, counting_key);
    rfi_random_u32(&random);
    rfi_random_ratchet(&random, UINT64_C(0x0123456789abcdef));
    assert_next_block(&random, "573f72e03c6ab40f4cfb4ed70e1048ee"
                               "3b864c640a606f4b10d683bc1120aabb"
                               "98b6f40af3d2dabe789f409372acf4ac"
                               "fa89489feb4263e526383a9186300e23");
}

static void
parts_the_streams_of_parent_and_children(void **state)
{
    rfi_random_t parent;
    uint64_t first[3];

    (void)state;
    rfi_random_seed(&parent, zero_key);
    for (uint64_t salt = 0; salt < 2; salt++) {
        rfi_random_t child = parent;

        rfi_random_ratchet(&child, salt);
        first[salt] = rfi_random_u64(&child);
    }
    first[2] = rfi_random_u64(&parent);
    assert_true(first[0] != first[1]);
    assert_true(first[0] != first[2]);
    assert_true(first[1] != first[2]);
}

static void
joins_two_words_low_one_first(void **state)
{
    rfi_random_t words;
    rfi_random_t doubles;

    (void)state;
    rfi_random_seed(&words, counting_key);
    rfi_random_seed(&doubles, counting_key);
    for (int i = 0; i < 100; i++) {
        uint64_t low = rfi_random_u32(&words);
        uint64_t high = rfi_random_u32(&words);

        assert_true(rfi_random_u64(&doubles) == (high << 32 | low));
    }
}

static void
keeps_no_word_that_it_handed_out(void **state)
{
    rfi_random_t random;

    (void)state;
    rfi_random_seed(&random, counting_key);
    for (int i = 0; i < 40; i++) {
        uint32_t word = rfi_random_u32(&random);

        for (int j = 0; j < 16; j++) {
            assert_true(random.output[j] != word);
        }
    }
}

static void
stays_below_the_bound(void **state)
{
    static const uint32_t bounds[] = {
        1, 2, 3, 7, 100, UINT32_MAX, 1u << 31, 65536, 1u << 30, (1u << 31) + 1};
    rfi_random_t random;

    (void)state;
    rfi_random_seed(&random, counting_key);
    for (size_t i = 0; i < sizeof(bounds) / sizeof(bounds[0]); i++) {
        for (int n = 0; n < 1000; n++) {
            assert_true(rfi_random_below(&random, bounds[i]) < bounds[i]);
        }
    }
    assert_int_equal(rfi_random_below(&random, 1), 0);
}

/* Chi-square with 9 degrees of freedom: 33.7 is exceeded by a fair source
 * once in 10 000 runs, and this source is fixed. */
static void
assert_uniform(const unsigned counts[10], unsigned total)
{
    double expected = total / 10.0;
    double chi_square = 0;

    for (int i = 0; i < 10; i++) {
        double difference = counts[i] - expected;

        chi_square += difference * difference / expected;
    }
    assert_true(chi_square < 33.7);
}

static void
is_uniform_without_modulo_bias(void **state)
{
    /* 3 * 2^30: plain modulo would give the first third twice as often. */
    const uint32_t bound = 3u << 30;
    const unsigned total = 100000;
    unsigned small[10] = {0};
    unsigned large[10] = {0};
    rfi_random_t random;

    (void)state;
    rfi_random_seed(&random, counting_key);
    for (unsigned i = 0; i < total; i++) {
        small[rfi_random_below(&random, 10)]++;
        large[(uint64_t)rfi_random_below(&random, bound) * 10 / bound]++;
    }
    assert_uniform(small, total);
    assert_uniform(large, total);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(matches_the_published_vector),
        cmocka_unit_test(uses_the_whole_key),
        cmocka_unit_test(carries_into_the_high_word_of_the_counter),
        cmocka_unit_test(ratchets_to_a_derived_key),
        cmocka_unit_test(parts_the_streams_of_parent_and_children),
        cmocka_unit_test(joins_two_words_low_one_first),
        cmocka_unit_test(keeps_no_word_that_it_handed_out),
        cmocka_unit_test(stays_below_the_bound),
        cmocka_unit_test(is_uniform_without_modulo_bias),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
