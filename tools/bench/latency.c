/* SPDX-License-Identifier: MIT
 *
 * Latency figures. Each thread counts its calls in buckets of its own, 16 to
 * each doubling, which bounds the error of a percentile to 6 %. The longest
 * call is kept exactly. Some processors' counters move in steps of 10 ns, so
 * short calls are told apart by the mean rather than the median; it leaves out
 * the slowest hundredth, where pauses of the whole thread would drown all
 * else. All figures contain the clock's own time, which is printed beside them.
 */
#include "latency.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "ticks.h"
#include "latency_wrap.h"

/* This file defines the wrappers, so it needs the real functions. */
#undef malloc
#undef calloc
#undef realloc
#undef free

#define STEP_BITS 4
#define STEPS (1u << STEP_BITS)
#define BUCKETS (64u * STEPS)

typedef struct figures {
    uint64_t counts[BUCKETS];
    uint64_t longest;
} figures_t;

static _Thread_local figures_t own;
static figures_t total;
static pthread_mutex_t total_lock = PTHREAD_MUTEX_INITIALIZER;
static uint64_t start_ticks, start_ns;
static double clock_ticks; /* that a measurement of nothing takes */

static unsigned
bucket_of(uint64_t ticks)
{
    if (ticks < STEPS) {
        return (unsigned)ticks;
    }
    const unsigned high = 63u - (unsigned)__builtin_clzll(ticks);
    const unsigned step = (unsigned)(ticks >> (high - STEP_BITS)) - STEPS;
    return (high - STEP_BITS + 1) * STEPS + step;
}

/* The middle of a bucket. */
static double
bucket_ticks(unsigned bucket)
{
    if (bucket < STEPS) {
        return bucket;
    }
    const unsigned shift = bucket / STEPS - 1;
    const uint64_t low = (uint64_t)(STEPS + bucket % STEPS) << shift;
    return (double)low + (double)((uint64_t)1 << shift) / 2;
}

static void
record(uint64_t begin)
{
    const uint64_t ticks = ticks_now() - begin;
    own.counts[bucket_of(ticks)]++;
    if (ticks > own.longest) {
        own.longest = ticks;
    }
}

static void __attribute__((constructor)) calibrate(void)
{
    enum { TRIES = 10000 };
    uint64_t sum = 0;

    for (int i = 0; i < TRIES; i++) {
        const uint64_t begin = ticks_now();
        sum += ticks_now() - begin;
    }
    clock_ticks = (double)sum / TRIES;
    start_ticks = ticks_now();
    start_ns = clock_ns();
}

void *
latency_malloc(size_t size)
{
    const uint64_t begin = ticks_now();
    void *block = malloc(size);
    record(begin);
    return block;
}

void *
latency_calloc(size_t count, size_t size)
{
    const uint64_t begin = ticks_now();
    void *block = calloc(count, size);
    record(begin);
    return block;
}

void *
latency_realloc(void *old, size_t size)
{
    const uint64_t begin = ticks_now();
    void *block = realloc(old, size);
    record(begin);
    return block;
}

void
latency_free(void *block)
{
    const uint64_t begin = ticks_now();
    free(block);
    record(begin);
}

void
latency_flush(void)
{
    pthread_mutex_lock(&total_lock);
    for (unsigned i = 0; i < BUCKETS; i++) {
        total.counts[i] += own.counts[i];
        own.counts[i] = 0;
    }
    if (own.longest > total.longest) {
        total.longest = own.longest;
    }
    own.longest = 0;
    pthread_mutex_unlock(&total_lock);
}

static double
percentile(uint64_t calls, double share)
{
    const uint64_t wanted = (uint64_t)((double)calls * share);
    uint64_t seen = 0;
    for (unsigned i = 0; i < BUCKETS; i++) {
        seen += total.counts[i];
        if (seen > wanted) {
            return bucket_ticks(i);
        }
    }
    return (double)total.longest;
}

/* Mean of the fastest 99 %. */
static double
mean_of_fast(uint64_t calls)
{
    const double wanted = (double)calls * 0.99;
    double seen = 0, sum = 0;
    for (unsigned i = 0; i < BUCKETS && seen < wanted; i++) {
        double part = (double)total.counts[i];
        part = part < wanted - seen ? part : wanted - seen;
        sum += part * bucket_ticks(i);
        seen += part;
    }
    return sum / seen;
}

void
latency_print(void)
{
    const double ns_per_tick =
        (double)(clock_ns() - start_ns) / (double)(ticks_now() - start_ticks);
    uint64_t calls = 0;

    latency_flush();
    for (unsigned i = 0; i < BUCKETS; i++) {
        calls += total.counts[i];
    }
    if (calls == 0) {
        return;
    }
    printf(" clock_ns=%.1f mean_ns=%.1f p50_ns=%.1f p99_ns=%.1f p999_ns=%.1f "
           "max_ns=%.0f",
           clock_ticks * ns_per_tick, mean_of_fast(calls) * ns_per_tick,
           percentile(calls, 0.5) * ns_per_tick,
           percentile(calls, 0.99) * ns_per_tick,
           percentile(calls, 0.999) * ns_per_tick,
           (double)total.longest * ns_per_tick);
}
