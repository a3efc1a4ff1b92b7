/* SPDX-License-Identifier: MIT
 *
 * Workloads of mixed sizes: a ring of the latest blocks, buffers that grow,
 * and blocks too large for any size class.
 */
#include <stdlib.h>
#include <string.h>

#include "random.h"
#include "threads.h"
#include "workload.h"

enum { PAGE = 4096 };

/* The ring frees its oldest block for each new one. */
enum { RING_BLOCKS = 8192 };

static void
ring_body(unsigned index, void *argument)
{
    const uint64_t count = *(const uint64_t *)argument;
    char **ring = workload_check(calloc(RING_BLOCKS, sizeof(*ring)));
    uint64_t random = random_seed(index);

    for (uint64_t i = 0; i < count; i++) {
        char **slot = &ring[i % RING_BLOCKS];
        free(*slot);
        *slot = workload_check(malloc(random_size(&random, 4, 14)));
        (*slot)[0] = 1;
    }
    for (unsigned i = 0; i < RING_BLOCKS; i++) {
        free(ring[i]);
    }
    free(ring);
}

void
workload_mixed_ring(const workload_args_t *args, workload_result_t *result)
{
    uint64_t count = workload_scaled(args, 10000000);
    threads_run(args->threads, ring_body, &count);
    result->operations = 2 * count * args->threads;
}

/* Several buffers grow side by side, so that few can grow in place for
 * want of a neighbour. New bytes are written. */
enum { BUFFERS = 8, BUFFER_START = 16, BUFFER_END = 1 << 20 };

static uint64_t
grow_buffers(void)
{
    char *buffers[BUFFERS] = {NULL};
    uint64_t steps = 0;
    size_t size = 0;

    for (size_t next = BUFFER_START; next < BUFFER_END; next += next / 2) {
        for (unsigned i = 0; i < BUFFERS; i++) {
            buffers[i] = workload_check(realloc(buffers[i], next));
            memset(buffers[i] + size, 1, next - size);
            steps++;
        }
        size = next;
    }
    for (unsigned i = 0; i < BUFFERS; i++) {
        free(buffers[i]);
    }
    return steps + BUFFERS;
}

static void
grow_body(unsigned index, void *argument)
{
    const uint64_t rounds = *(const uint64_t *)argument;
    (void)index;
    for (uint64_t round = 0; round < rounds; round++) {
        grow_buffers();
    }
}

void
workload_realloc_grow(const workload_args_t *args, workload_result_t *result)
{
    uint64_t rounds = workload_scaled(args, 50);
    threads_run(args->threads, grow_body, &rounds);
    result->operations = rounds * grow_buffers() * args->threads;
}

/* Blocks in random order, each page of the first 64 KiB written, so that
 * the memory is used but the workload is not all page faults. */
enum { LARGE_SLOTS = 16, WRITTEN = 64 * 1024 };

typedef struct large_plan {
    uint64_t count;
    unsigned low, high; /* powers of two */
} large_plan_t;

static void
large_body(unsigned index, void *argument)
{
    const large_plan_t *plan = argument;
    char *slots[LARGE_SLOTS] = {NULL};
    uint64_t random = random_seed(index);

    for (uint64_t i = 0; i < plan->count; i++) {
        const unsigned slot = random_below(&random, LARGE_SLOTS);
        const size_t size = random_size(&random, plan->low, plan->high);
        free(slots[slot]);
        slots[slot] = workload_check(malloc(size));
        for (size_t at = 0; at < WRITTEN; at += PAGE) {
            slots[slot][at] = 1;
        }
        slots[slot][size - 1] = 1;
    }
    for (unsigned slot = 0; slot < LARGE_SLOTS; slot++) {
        free(slots[slot]);
    }
}

void
workload_large_churn(const workload_args_t *args, workload_result_t *result)
{
    large_plan_t plan = {workload_scaled(args, 20000), 16, 22};
    threads_run(args->threads, large_body, &plan);
    result->operations = 2 * plan.count * args->threads;
}

void
workload_huge_churn(const workload_args_t *args, workload_result_t *result)
{
    large_plan_t plan = {workload_scaled(args, 10000), 22, 26};
    threads_run(args->threads, large_body, &plan);
    result->operations = 2 * plan.count * args->threads;
}
