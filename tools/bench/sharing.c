/* SPDX-License-Identifier: MIT
 *
 * False sharing: an allocator that puts blocks of two threads into one
 * cache line makes their writes slow. In cache_scratch the first blocks
 * come from one thread (passive sharing: a freed block must not make the
 * receiver a neighbour of the giver); in cache_thrash each thread allocates
 * its own (active sharing).
 */
#include <stdlib.h>

#include "threads.h"
#include "workload.h"

enum { SHARED_SIZE = 8, WRITES = 20000 };

typedef struct sharing_plan {
    uint64_t rounds;
    char **given; /* one block per thread, or NULL */
} sharing_plan_t;

static void
write_often(volatile char *block)
{
    for (unsigned i = 0; i < WRITES; i++) {
        block[i % SHARED_SIZE] = (char)(block[i % SHARED_SIZE] + 1);
    }
}

static void
sharing_body(unsigned index, void *argument)
{
    const sharing_plan_t *plan = argument;
    if (plan->given != NULL) {
        write_often(plan->given[index]);
        free(plan->given[index]);
    }
    for (uint64_t round = 0; round < plan->rounds; round++) {
        char *block = workload_check(calloc(1, SHARED_SIZE));
        write_often(block);
        free(block);
    }
}

void
workload_cache_scratch(const workload_args_t *args, workload_result_t *result)
{
    sharing_plan_t plan = {workload_scaled(args, 20000), NULL};

    plan.given = workload_check(calloc(args->threads, sizeof(*plan.given)));
    for (unsigned i = 0; i < args->threads; i++) {
        plan.given[i] = workload_check(calloc(1, SHARED_SIZE));
    }
    threads_run(args->threads, sharing_body, &plan);
    free(plan.given);
    result->operations = 2 * plan.rounds * args->threads;
}

void
workload_cache_thrash(const workload_args_t *args, workload_result_t *result)
{
    sharing_plan_t plan = {workload_scaled(args, 20000), NULL};
    threads_run(args->threads, sharing_body, &plan);
    result->operations = 2 * plan.rounds * args->threads;
}
