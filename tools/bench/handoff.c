/* SPDX-License-Identifier: MIT
 *
 * Blocks that one thread allocates and another frees. They travel through
 * rings with one writer and one reader each, so that no lock of ours hides
 * the cost of the allocator's.
 */
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

#include "random.h"
#include "threads.h"
#include "workload.h"

/* Power of two. The two positions are a cache line apart. */
enum { RING_SLOTS = 1024, LINE = 64 };

typedef struct ring {
    _Alignas(LINE) _Atomic size_t written; /* release, read by ring_take */
    _Alignas(LINE) _Atomic size_t taken;   /* release, read by ring_put */
    _Alignas(LINE) char *slots[RING_SLOTS];
} ring_t;

static bool
ring_put(ring_t *ring, char *block)
{
    const size_t written =
        atomic_load_explicit(&ring->written, memory_order_relaxed);
    const size_t taken =
        atomic_load_explicit(&ring->taken, memory_order_acquire);
    if (written - taken == RING_SLOTS) {
        return false;
    }
    ring->slots[written % RING_SLOTS] = block;
    atomic_store_explicit(&ring->written, written + 1, memory_order_release);
    return true;
}

static char *
ring_take(ring_t *ring)
{
    const size_t taken =
        atomic_load_explicit(&ring->taken, memory_order_relaxed);
    const size_t written =
        atomic_load_explicit(&ring->written, memory_order_acquire);
    if (written == taken) {
        return NULL;
    }
    char *block = ring->slots[taken % RING_SLOTS];
    atomic_store_explicit(&ring->taken, taken + 1, memory_order_release);
    return block;
}

typedef struct exchange {
    uint64_t count; /* blocks that each sender allocates */
    unsigned threads;
    ring_t *rings; /* rings[from * threads + to] */
} exchange_t;

static char *
new_block(uint64_t *random)
{
    char *block = workload_check(malloc(random_size(random, 4, 10)));
    block[0] = 1;
    return block;
}

/* Even threads send to the odd thread after them. */
static void
one_body(unsigned index, void *argument)
{
    const exchange_t *exchange = argument;
    ring_t *ring = &exchange->rings[index / 2];
    uint64_t random = random_seed(index);

    for (uint64_t i = 0; i < exchange->count; i++) {
        char *block;
        if (index % 2 == 0) {
            block = new_block(&random);
            while (!ring_put(ring, block)) {
                sched_yield();
            }
        } else {
            while ((block = ring_take(ring)) == NULL) {
                sched_yield();
            }
            free(block);
        }
    }
}

static ring_t *
new_rings(size_t count)
{
    ring_t *rings = NULL;
    if (posix_memalign((void **)&rings, LINE, count * sizeof(*rings)) != 0) {
        workload_check(NULL);
    }
    for (size_t i = 0; i < count; i++) {
        atomic_init(&rings[i].written, 0);
        atomic_init(&rings[i].taken, 0);
    }
    return rings;
}

void
workload_handoff_one(const workload_args_t *args, workload_result_t *result)
{
    const unsigned pairs = (args->threads + 1) / 2;
    exchange_t exchange = {workload_scaled(args, 4000000), 2 * pairs,
                           new_rings(pairs)};
    threads_run(exchange.threads, one_body, &exchange);
    free(exchange.rings);
    result->operations = 2 * exchange.count * pairs;
}

static unsigned
drain(const exchange_t *exchange, unsigned to)
{
    unsigned freed = 0;
    for (unsigned from = 0; from < exchange->threads; from++) {
        ring_t *ring = &exchange->rings[from * exchange->threads + to];
        for (char *block; (block = ring_take(ring)) != NULL; freed++) {
            free(block);
        }
    }
    return freed;
}

/* Each thread sends to all in turn, itself included, and so receives
 * exactly as many blocks as it sends when the count divides evenly. */
static void
many_body(unsigned index, void *argument)
{
    const exchange_t *exchange = argument;
    ring_t *out = &exchange->rings[index * exchange->threads];
    uint64_t random = random_seed(index), received = 0;

    for (uint64_t i = 0; i < exchange->count; i++) {
        char *block = new_block(&random);
        while (!ring_put(&out[i % exchange->threads], block)) {
            const unsigned freed = drain(exchange, index);
            received += freed;
            if (freed == 0) {
                sched_yield();
            }
        }
        if (i % 64 == 0) {
            received += drain(exchange, index);
        }
    }
    while (received < exchange->count) {
        received += drain(exchange, index);
        sched_yield();
    }
}

void
workload_handoff_many(const workload_args_t *args, workload_result_t *result)
{
    const uint64_t rounds = workload_scaled(args, 3000000) / args->threads + 1;
    exchange_t exchange = {rounds * args->threads, args->threads,
                           new_rings((size_t)args->threads * args->threads)};
    threads_run(args->threads, many_body, &exchange);
    free(exchange.rings);
    result->operations = 2 * exchange.count * args->threads;
}
