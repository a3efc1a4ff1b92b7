/* SPDX-License-Identifier: MIT
 *
 * Workloads that free each block at once: the shortest way through an
 * allocator, and the seeds' loops of that form.
 */
#include <stdlib.h>

#include "random.h"
#include "threads.h"
#include "workload.h"

typedef struct pair_plan {
    uint64_t count;
    size_t size;
} pair_plan_t;

static inline void
pair(size_t size)
{
    char *block = workload_check(malloc(size));
    block[0] = 1;
    free(block);
}

static void
pair_body(unsigned index, void *argument)
{
    const pair_plan_t *plan = argument;
    (void)index;
    for (uint64_t i = 0; i < plan->count; i++) {
        pair(plan->size);
    }
}

static void
pairs_of(size_t size, uint64_t count, const workload_args_t *args,
         workload_result_t *result)
{
    pair_plan_t plan = {workload_scaled(args, count), size};
    threads_run(args->threads, pair_body, &plan);
    result->operations = 2 * plan.count * args->threads;
}

void
workload_pair_16(const workload_args_t *args, workload_result_t *result)
{
    pairs_of(16, 60000000, args, result);
}

void
workload_pair_64(const workload_args_t *args, workload_result_t *result)
{
    pairs_of(64, 60000000, args, result);
}

void
workload_pair_256(const workload_args_t *args, workload_result_t *result)
{
    pairs_of(256, 60000000, args, result);
}

void
workload_pair_1024(const workload_args_t *args, workload_result_t *result)
{
    pairs_of(1024, 60000000, args, result);
}

void
workload_pair_100(const workload_args_t *args, workload_result_t *result)
{
    pairs_of(100, 20000000, args, result);
}

static void
jitter_body(unsigned index, void *argument)
{
    const uint64_t count = *(const uint64_t *)argument;
    uint64_t random = random_seed(index);
    for (uint64_t i = 0; i < count; i++) {
        pair(32 + random_below(&random, 128));
    }
}

void
workload_jitter(const workload_args_t *args, workload_result_t *result)
{
    uint64_t count = workload_scaled(args, 50000000);
    threads_run(args->threads, jitter_body, &count);
    result->operations = 2 * count * args->threads;
}
