/* SPDX-License-Identifier: MIT
 *
 * Generations of threads that die while a sixteenth of their blocks lives on,
 * scattered over all their memory. The next generations must use what is free
 * in it: the resident size settles near what lives.
 */
#include "case.h"

#define THREADS 20
#define BLOCKS_EACH 20000
#define BLOCK_BYTES 100
#define SURVIVORS_EACH (BLOCKS_EACH / 16)
#define KEPT_GENERATIONS 3

typedef struct task {
    void *survivors[SURVIVORS_EACH];
} task_t;

static task_t tasks[KEPT_GENERATIONS][THREADS];

static void *
live_and_die(void *argument)
{
    task_t *task = argument;
    void **blocks = malloc(BLOCKS_EACH * sizeof(void *));

    EXPECT(blocks != NULL);
    for (size_t i = 0; i < BLOCKS_EACH; i++) {
        blocks[i] = malloc(BLOCK_BYTES);
        EXPECT(blocks[i] != NULL);
        memset(blocks[i], 1, BLOCK_BYTES);
    }
    for (size_t i = 0; i < BLOCKS_EACH; i++) {
        if (i % 16 == 0) {
            task->survivors[i / 16] = blocks[i];
        } else {
            free(blocks[i]);
        }
    }
    free(blocks);
    return NULL;
}

static void
bury(task_t *generation)
{
    for (size_t i = 0; i < THREADS; i++) {
        for (size_t j = 0; j < SURVIVORS_EACH; j++) {
            free(generation[i].survivors[j]);
            generation[i].survivors[j] = NULL;
        }
    }
}

static void
raise_generation(task_t *generation)
{
    pthread_t threads[THREADS];

    for (size_t i = 0; i < THREADS; i++) {
        threads[i] = start_thread(live_and_die, &generation[i]);
    }
    for (size_t i = 0; i < THREADS; i++) {
        join_thread(threads[i]);
    }
}

int
main(void)
{
    size_t generations = scaled(60, 20);
    long settled = 0;

    for (size_t i = 0; i < generations; i++) {
        bury(tasks[i % KEPT_GENERATIONS]);
        raise_generation(tasks[i % KEPT_GENERATIONS]);
        if (i == 2 * KEPT_GENERATIONS) {
            settled = rss_kib();
        }
    }
    EXPECT_AT_MOST(rss_kib(), settled + settled / 4 + 4096);
    EXPECT_AT_MOST(rss_kib(), THREADS * BLOCKS_EACH * BLOCK_BYTES / 1024 * 3);
    for (size_t i = 0; i < KEPT_GENERATIONS; i++) {
        bury(tasks[i]);
    }
    return finish();
}
