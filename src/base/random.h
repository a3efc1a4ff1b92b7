/* SPDX-License-Identifier: MIT
 *
 * A ChaCha8 random stream. Small interface, per-owner state, seeded by the
 * caller; never touches the system. Not thread-safe: one owner at a time.
 */
#ifndef RINGFENCE_BASE_RANDOM_H
#define RINGFENCE_BASE_RANDOM_H

#include <stddef.h>
#include <stdint.h>

#define RFI_RANDOM_KEY_BYTES 32

typedef struct rfi_random {
    uint32_t state[16];  /* ChaCha input block: constants, key, counter */
    uint32_t output[16]; /* the block being handed out */
    uint32_t available;  /* words of `output` not handed out yet */
} rfi_random_t;

void rfi_random_seed(rfi_random_t *random,
                     const uint8_t key[RFI_RANDOM_KEY_BYTES]);

/* Replaces the key by one derived from the old key and `salt`, so that two
 * processes that share a state through fork do not share a stream. */
void rfi_random_ratchet(rfi_random_t *random, uint64_t salt);

uint32_t rfi_random_u32(rfi_random_t *random);
uint64_t rfi_random_u64(rfi_random_t *random);

/* Uniform in [0, bound) without modulo bias; bound must not be zero. */
uint32_t rfi_random_below(rfi_random_t *random, uint32_t bound);

#endif
