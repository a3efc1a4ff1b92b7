/* SPDX-License-Identifier: MIT
 *
 * Threads that come and go while their objects stay: a server in the manner
 * of Larson and Krishnan, a stress by generations, and sheer thread churn.
 */
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "latency.h"
#include "random.h"
#include "threads.h"
#include "workload.h"

/* A connection's slots outlive the threads that serve it: each thread
 * replaces blocks that an earlier thread allocated, then ends. */
enum { SERVER_SLOTS = 1000, SERVER_STEPS = 50000 };

typedef struct connection {
    uint64_t random;
    char *slots[SERVER_SLOTS];
} connection_t;

static void *
serve(void *argument)
{
    connection_t *connection = argument;
    for (unsigned i = 0; i < SERVER_STEPS; i++) {
        const unsigned slot = random_below(&connection->random, SERVER_SLOTS);
        free(connection->slots[slot]);
        const size_t size = 8 + random_below(&connection->random, 993);
        connection->slots[slot] = workload_check(malloc(size));
        connection->slots[slot][0] = 1;
    }
    latency_flush();
    return NULL;
}

static void
server_body(unsigned index, void *argument)
{
    const uint64_t lives = *(const uint64_t *)argument;
    connection_t *connection = workload_check(calloc(1, sizeof(*connection)));

    connection->random = random_seed(index);
    for (uint64_t life = 0; life < lives; life++) {
        threads_join(threads_start(serve, connection));
    }
    for (unsigned slot = 0; slot < SERVER_SLOTS; slot++) {
        free(connection->slots[slot]);
    }
    free(connection);
}

void
workload_server(const workload_args_t *args, workload_result_t *result)
{
    uint64_t lives = workload_scaled(args, 60);
    threads_run(args->threads, server_body, &lives);
    result->operations = 2 * lives * SERVER_STEPS * args->threads;
}

/* Generations: threads keep what they allocate in a table that all share;
 * what one generation leaves there, later ones free. */
enum {
    TABLE_SLOTS = 4096,
    GENERATION_STEPS = 20000,
    KEEP_PERCENT = 40,
    LARGE_PERCENT = 1,
    OWN_SLOTS = 64
};

typedef struct generation {
    _Atomic(char *) *table;
    uint64_t number;
} generation_t;

static void
generation_body(unsigned index, void *argument)
{
    const generation_t *generation = argument;
    uint64_t random = random_seed(generation->number * 1024 + index);
    char *own[OWN_SLOTS] = {NULL};

    for (unsigned i = 0; i < GENERATION_STEPS; i++) {
        const unsigned high =
            random_below(&random, 100) < LARGE_PERCENT ? 17 : 10;
        char *block = workload_check(malloc(random_size(&random, 4, high)));
        block[0] = 1;
        if (random_below(&random, 100) < KEEP_PERCENT) {
            const unsigned slot = random_below(&random, TABLE_SLOTS);
            free(atomic_exchange(&generation->table[slot], block));
        } else {
            free(own[i % OWN_SLOTS]);
            own[i % OWN_SLOTS] = block;
        }
    }
    for (unsigned i = 0; i < OWN_SLOTS; i++) {
        free(own[i]);
    }
}

void
workload_generations(const workload_args_t *args, workload_result_t *result)
{
    const uint64_t generations = workload_scaled(args, 60);
    generation_t generation = {NULL, 0};

    generation.table =
        workload_check(calloc(TABLE_SLOTS, sizeof(*generation.table)));
    for (uint64_t i = 0; i < generations; i++) {
        generation.number = i;
        threads_run(args->threads, generation_body, &generation);
    }
    for (unsigned slot = 0; slot < TABLE_SLOTS; slot++) {
        free(atomic_load(&generation.table[slot]));
    }
    free(generation.table);
    result->operations = 2 * generations * GENERATION_STEPS * args->threads;
}

/* A thread with a few blocks, one of which its starter frees. */
enum { CHURN_BLOCKS = 32 };

static void *
churn(void *argument)
{
    uint64_t random = *(const uint64_t *)argument;
    char *blocks[CHURN_BLOCKS];

    for (unsigned i = 0; i < CHURN_BLOCKS; i++) {
        blocks[i] = workload_check(malloc(random_size(&random, 4, 12)));
        blocks[i][0] = 1;
    }
    for (unsigned i = 1; i < CHURN_BLOCKS; i++) {
        free(blocks[i]);
    }
    latency_flush();
    return blocks[0];
}

static void
churn_body(unsigned index, void *argument)
{
    const uint64_t lives = *(const uint64_t *)argument;
    uint64_t random = random_seed(index);

    for (uint64_t life = 0; life < lives; life++) {
        random_next(&random);
        free(threads_join(threads_start(churn, &random)));
    }
}

void
workload_thread_churn(const workload_args_t *args, workload_result_t *result)
{
    uint64_t lives = workload_scaled(args, 4000);
    threads_run(args->threads, churn_body, &lives);
    result->operations = 2 * lives * CHURN_BLOCKS * args->threads;
}
