/* SPDX-License-Identifier: MIT
 *
 * Workloads that allocate many blocks before they free any: lists of free
 * blocks run empty and fill up again.
 */
#include <stdlib.h>
#include <string.h>

#include "random.h"
#include "threads.h"
#include "workload.h"

/* The seed's test: 10 000 blocks of 100 bytes, freed in the same order. */
enum { SEED_BATCH = 10000, SEED_SIZE = 100 };

static void
seed_batch_body(unsigned index, void *argument)
{
    const uint64_t rounds = *(const uint64_t *)argument;
    char *blocks[SEED_BATCH];
    (void)index;

    for (uint64_t round = 0; round < rounds; round++) {
        for (unsigned i = 0; i < SEED_BATCH; i++) {
            blocks[i] = workload_check(malloc(SEED_SIZE));
        }
        for (unsigned i = 0; i < SEED_BATCH; i++) {
            free(blocks[i]);
        }
    }
}

void
workload_batch_10000(const workload_args_t *args, workload_result_t *result)
{
    uint64_t rounds = workload_scaled(args, 500);
    threads_run(args->threads, seed_batch_body, &rounds);
    result->operations = 2 * rounds * SEED_BATCH * args->threads;
}

/* The seed's test: sizes 1, 2, 4 ... 32 KiB, each filled, and all of it
 * live before the first is freed. */
enum { POWERS = 16 };

static void
power_body(unsigned index, void *argument)
{
    const uint64_t rounds = *(const uint64_t *)argument;
    char **blocks = workload_check(malloc(rounds * POWERS * sizeof(*blocks)));
    (void)index;

    for (uint64_t round = rounds; round-- > 0;) {
        for (unsigned power = 0; power < POWERS; power++) {
            const size_t size = (size_t)1 << power;
            char *block = workload_check(malloc(size));
            memset(block, 0, size);
            blocks[round * POWERS + power] = block;
        }
    }
    for (uint64_t round = rounds; round-- > 0;) {
        for (unsigned power = 0; power < POWERS; power++) {
            free(blocks[round * POWERS + power]);
        }
    }
    free(blocks);
}

void
workload_power_of_two(const workload_args_t *args, workload_result_t *result)
{
    uint64_t rounds = workload_scaled(args, 4000);
    threads_run(args->threads, power_body, &rounds);
    result->operations = 2 * rounds * POWERS * args->threads;
}

enum { MIXED_MAX = 2000 };

typedef struct mixed_plan {
    uint64_t rounds;
    unsigned batch;
    uint16_t order[MIXED_MAX]; /* in which the blocks are freed */
} mixed_plan_t;

static void
mixed_body(unsigned index, void *argument)
{
    const mixed_plan_t *plan = argument;
    char *blocks[MIXED_MAX];
    uint64_t random = random_seed(index);

    for (uint64_t round = 0; round < plan->rounds; round++) {
        for (unsigned i = 0; i < plan->batch; i++) {
            blocks[i] = workload_check(malloc(16 + random_below(&random, 497)));
            blocks[i][0] = 1;
        }
        for (unsigned i = 0; i < plan->batch; i++) {
            free(blocks[plan->order[i]]);
        }
    }
}

static void
shuffle(uint16_t *order, unsigned count)
{
    uint64_t random = random_seed(count);
    for (unsigned i = count; i > 1; i--) {
        const unsigned other = random_below(&random, i);
        const uint16_t moved = order[i - 1];
        order[i - 1] = order[other];
        order[other] = moved;
    }
}

static void
mixed_batches(mixed_plan_t *plan, const workload_args_t *args,
              workload_result_t *result)
{
    threads_run(args->threads, mixed_body, plan);
    result->operations = 2 * plan->rounds * plan->batch * args->threads;
}

void
workload_batch_100(const workload_args_t *args, workload_result_t *result)
{
    mixed_plan_t plan = {workload_scaled(args, 300000), 100, {0}};
    for (unsigned i = 0; i < plan.batch; i++) {
        plan.order[i] = (uint16_t)i;
    }
    mixed_batches(&plan, args, result);
}

void
workload_batch_2000(const workload_args_t *args, workload_result_t *result)
{
    mixed_plan_t plan = {workload_scaled(args, 10000), 2000, {0}};
    for (unsigned i = 0; i < plan.batch; i++) {
        plan.order[i] = (uint16_t)i;
    }
    shuffle(plan.order, plan.batch);
    mixed_batches(&plan, args, result);
}
