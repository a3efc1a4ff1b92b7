/* SPDX-License-Identifier: MIT
 *
 * Workloads that never free a part of what they allocate, and so show what a
 * live byte costs: the seeds' leak test and message lists. main.c sets the
 * bytes they asked for against the memory the process gained.
 */
#include <stdatomic.h>
#include <stdlib.h>

#include "random.h"
#include "threads.h"
#include "workload.h"

typedef struct keeper_plan {
    uint64_t count; /* allocations of each thread */
    _Atomic uint64_t live_bytes;
    _Atomic uint64_t freed;
} keeper_plan_t;

enum { LEAK_SIZES = 1024, LEAK_BELOW = 64 };

static void
leak_body(unsigned index, void *argument)
{
    keeper_plan_t *plan = argument;
    uint64_t random = random_seed(index);
    uint64_t leaked_bytes = 0, freed = 0;

    for (uint64_t i = 0; i < plan->count; i++) {
        const size_t size = random_below(&random, LEAK_SIZES);
        char *block = workload_check(malloc(size));
        if (size >= LEAK_BELOW) {
            free(block);
            freed++;
        } else {
            if (size != 0) {
                block[0] = 1;
            }
            leaked_bytes += size;
        }
    }
    atomic_fetch_add(&plan->live_bytes, leaked_bytes);
    atomic_fetch_add(&plan->freed, freed);
}

void
workload_random_leak(const workload_args_t *args, workload_result_t *result)
{
    keeper_plan_t plan = {workload_scaled(args, 3000000), 0, 0};
    threads_run(args->threads, leak_body, &plan);
    result->operations = plan.count * args->threads + plan.freed;
    result->live_bytes = plan.live_bytes;
}

typedef struct message {
    uint32_t id;
    char payload[256];
    struct message *next;
} message_t;

/* All threads together make this many messages. */
enum { MESSAGES = 10000000 };

static void
message_body(unsigned index, void *argument)
{
    keeper_plan_t *plan = argument;
    uint64_t random = random_seed(index), freed = 0;
    message_t *head = NULL;

    for (uint64_t i = 0; i < plan->count; i++) {
        message_t *message = workload_check(malloc(sizeof(*message)));
        message->id = (uint32_t)i;
        message->next = head;
        head = message;
        if (random_below(&random, 100) < 30) {
            message_t *dropped = head;
            head = head->next;
            free(dropped);
            freed++;
        }
    }
    atomic_fetch_add(&plan->live_bytes,
                     (plan->count - freed) * sizeof(message_t));
    atomic_fetch_add(&plan->freed, freed);
}

void
workload_messages(const workload_args_t *args, workload_result_t *result)
{
    keeper_plan_t plan = {workload_scaled(args, MESSAGES) / args->threads, 0,
                          0};
    threads_run(args->threads, message_body, &plan);
    result->operations = plan.count * args->threads + plan.freed;
    result->live_bytes = plan.live_bytes;
}
