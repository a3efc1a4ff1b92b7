/* SPDX-License-Identifier: MIT
 *
 * The workloads' random numbers: xorshift64*, one state per thread, seeded
 * by the thread's number, so that every run does the same work under every
 * allocator.
 */
#ifndef RINGFENCE_BENCH_RANDOM_H
#define RINGFENCE_BENCH_RANDOM_H

#include <stddef.h>
#include <stdint.h>

static inline uint64_t
random_seed(uint64_t number)
{
    return (number + 1) * UINT64_C(0x9e3779b97f4a7c15);
}

static inline uint32_t
random_next(uint64_t *state)
{
    uint64_t x = *state;
    x ^= x >> 12;
    x ^= x << 25;
    x ^= x >> 27;
    *state = x;
    return (uint32_t)((x * UINT64_C(0x2545f4914f6cdd1d)) >> 32);
}

/* In [0, bound). */
static inline uint32_t
random_below(uint64_t *state, uint32_t bound)
{
    return (uint32_t)(((uint64_t)random_next(state) * bound) >> 32);
}

/* In [2^low, 2^high): each doubling is as likely as the next, so that small
 * sizes dominate as they do in programs. */
static inline size_t
random_size(uint64_t *state, unsigned low, unsigned high)
{
    const size_t base = (size_t)1 << (low + random_below(state, high - low));
    return base + (random_next(state) & (base - 1));
}

#endif
