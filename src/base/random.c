/* SPDX-License-Identifier: MIT
 *
 * ChaCha with 8 rounds as a stream of words. The input block is laid out as
 * in Bernstein's paper: 4 constants, 8 key words, a 64-bit block counter, a
 * 64-bit nonce. The stream uses nonce 0; rfi_random_ratchet() draws its new
 * key from the block numbered all ones, which no stream ever reaches.
 */
#include "base/random.h"

#include "base/assert.h"

#define BLOCK_WORDS 16u
#define DOUBLE_ROUNDS 4

enum { KEY = 4, KEY_WORDS = 8, COUNTER = 12, NONCE = 14 };

_Static_assert(KEY_WORDS * 4 == RFI_RANDOM_KEY_BYTES, "key fills its words");

static uint32_t
rotate_left(uint32_t word, unsigned count)
{
    return word << count | word >> (32 - count);
}

static void
quarter_round(uint32_t *a, uint32_t *b, uint32_t *c, uint32_t *d)
{
    *a += *b;
    *d = rotate_left(*d ^ *a, 16);
    *c += *d;
    *b = rotate_left(*b ^ *c, 12);
    *a += *b;
    *d = rotate_left(*d ^ *a, 8);
    *c += *d;
    *b = rotate_left(*b ^ *c, 7);
}

static void
compute_block(uint32_t output[BLOCK_WORDS], const uint32_t state[BLOCK_WORDS])
{
    uint32_t x[BLOCK_WORDS];

    for (unsigned i = 0; i < BLOCK_WORDS; i++) {
        x[i] = state[i];
    }
    for (unsigned round = 0; round < DOUBLE_ROUNDS; round++) {
        for (unsigned i = 0; i < 4; i++) {
            quarter_round(&x[i], &x[4 + i], &x[8 + i], &x[12 + i]);
        }
        for (unsigned i = 0; i < 4; i++) {
            quarter_round(&x[i], &x[4 + (i + 1) % 4], &x[8 + (i + 2) % 4],
                          &x[12 + (i + 3) % 4]);
        }
    }
    for (unsigned i = 0; i < BLOCK_WORDS; i++) {
        output[i] = x[i] + state[i];
    }
}

/* Starts the stream of the key that stands in state[KEY...]. */
static void
restart(rfi_random_t *random)
{
    static const char constants[] = "expand 32-byte k";

    __builtin_memcpy(random->state, constants, 16);
    for (unsigned i = COUNTER; i < BLOCK_WORDS; i++) {
        random->state[i] = 0;
    }
    for (unsigned i = 0; i < BLOCK_WORDS; i++) {
        random->output[i] = 0;
    }
    random->available = 0;
}

void
rfi_random_seed(rfi_random_t *random, const uint8_t key[RFI_RANDOM_KEY_BYTES])
{
    /* Both supported processors are little-endian, as ChaCha is. */
    __builtin_memcpy(&random->state[KEY], key, RFI_RANDOM_KEY_BYTES);
    restart(random);
}

void
rfi_random_ratchet(rfi_random_t *random, uint64_t salt)
{
    random->state[COUNTER] = UINT32_MAX;
    random->state[COUNTER + 1] = UINT32_MAX;
    random->state[NONCE] = (uint32_t)salt;
    random->state[NONCE + 1] = (uint32_t)(salt >> 32);
    compute_block(random->output, random->state);
    for (unsigned i = 0; i < KEY_WORDS; i++) {
        random->state[KEY + i] = random->output[i];
    }
    restart(random);
}

static void
refill(rfi_random_t *random)
{
    compute_block(random->output, random->state);
    random->available = BLOCK_WORDS;
    if (++random->state[COUNTER] == 0) {
        random->state[COUNTER + 1]++;
    }
}

uint32_t
rfi_random_u32(rfi_random_t *random)
{
    if (random->available == 0) {
        refill(random);
    }
    uint32_t *next = &random->output[BLOCK_WORDS - random->available];
    uint32_t word = *next;

    /* A word handed out is a secret of its user: do not keep a copy. */
    *next = 0;
    random->available--;
    return word;
}

uint64_t
rfi_random_u64(rfi_random_t *random)
{
    uint64_t low = rfi_random_u32(random);

    return (uint64_t)rfi_random_u32(random) << 32 | low;
}

uint32_t
rfi_random_below(rfi_random_t *random, uint32_t bound)
{
    rfi_assert(bound != 0);

    /* The high half of word * bound is the result (Lemire). It is biased only
     * when the low half falls into the first 2^32 mod bound values: draw
     * again then. The division is reached in rare cases only. */
    uint64_t product = (uint64_t)rfi_random_u32(random) * bound;

    if ((uint32_t)product < bound) {
        uint32_t threshold = -bound % bound;

        while ((uint32_t)product < threshold) {
            product = (uint64_t)rfi_random_u32(random) * bound;
        }
    }
    return (uint32_t)(product >> 32);
}
