/* SPDX-License-Identifier: MIT
 *
 * A thread allocates a gigabyte of small blocks and goes to sleep; other
 * threads free all of it. The memory must not wait for the sleeper: four
 * fifths of it are back with the kernel while it sleeps, after the usual
 * delay and a few allocations elsewhere.
 */
#include <semaphore.h>

#include "case.h"

#define FREERS 2

typedef struct node {
    struct node *next;
} node_t;

static size_t total_bytes;
static node_t *lists[FREERS];
static sem_t allocated;
static sem_t may_end;

static void *
allocate_and_sleep(void *argument)
{
    uint64_t state = 29;
    size_t bytes = 0;

    (void)argument;
    for (size_t i = 0; bytes < total_bytes; i++) {
        size_t size = 16 + random_size(&state, 1000);
        node_t *node = malloc(size);

        EXPECT(node != NULL);
        memset(node, 1, size);
        node->next = lists[i % FREERS];
        lists[i % FREERS] = node;
        bytes += size;
    }
    (void)sem_post(&allocated);
    (void)sem_wait(&may_end);
    return NULL;
}

static void *
free_list(void *argument)
{
    node_t *node = argument;

    while (node != NULL) {
        node_t *next = node->next;

        free(node);
        node = next;
    }
    return NULL;
}

/* What a process that still does something calls now and then. */
static void
live_on(void)
{
    static void *blocks[1000];

    for (int round = 0; round < 15; round++) {
        for (size_t i = 0; i < COUNT_OF(blocks); i++) {
            blocks[i] = malloc(200);
        }
        for (size_t i = 0; i < COUNT_OF(blocks); i++) {
            free(blocks[i]);
        }
        sleep_ms(100);
    }
}

int
main(void)
{
    pthread_t sleeper;
    pthread_t freers[FREERS];
    long before = rss_kib();
    long peak;

    total_bytes = scaled(1024, 256) * MIB;
    EXPECT(sem_init(&allocated, 0, 0) == 0 && sem_init(&may_end, 0, 0) == 0);
    sleeper = start_thread(allocate_and_sleep, NULL);
    (void)sem_wait(&allocated);
    peak = rss_kib() - before;
    for (size_t i = 0; i < FREERS; i++) {
        freers[i] = start_thread(free_list, lists[i]);
    }
    for (size_t i = 0; i < FREERS; i++) {
        join_thread(freers[i]);
    }
    live_on();
    EXPECT_AT_MOST(rss_kib() - before, peak / 5);
    (void)sem_post(&may_end);
    join_thread(sleeper);
    return finish();
}
