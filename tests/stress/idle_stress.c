/* SPDX-License-Identifier: MIT
 *
 * Memory does not wait for those who sleep or have ended: a thread fills
 * many spans and goes to sleep, or ends, while others free its blocks; what
 * the heap holds afterwards must be little. Others tick meanwhile.
 *
 *   idle_stress [MiB]
 */
#include <pthread.h>
#include <semaphore.h>
#include <string.h>
#include <time.h>

#include "mem/granule.h"
#include "ringfence/alloc.h"
#include "stress.h"

#define BLOCK ((size_t)1024)
#define SLACK ((size_t)8 << 20)

static void **blocks;
static size_t block_count;
static sem_t filled;
static sem_t wake_up;

static size_t
used_bytes(void)
{
    rfi_granule_stats_t stats;

    rfi_granule_stats(&stats);
    return stats.used_bytes;
}

static void
allocate_all(void)
{
    for (size_t i = 0; i < block_count; i++) {
        blocks[i] = rf_malloc(BLOCK);
        REQUIRE(blocks[i] != NULL);
        memset(blocks[i], 1, BLOCK);
    }
}

static void *
fill_and_sleep(void *argument)
{
    allocate_all();
    sem_post(&filled);
    sem_wait(&wake_up);
    return argument;
}

/* Fewer of each span than wake it, so that they lie on its local list. */
static void *
fill_free_a_few_and_end(void *argument)
{
    allocate_all();
    for (size_t i = 0; i < block_count; i += 40) {
        rf_free(blocks[i]);
        blocks[i] = NULL;
    }
    sem_post(&filled);
    return argument;
}

static void *
free_all(void *argument)
{
    for (size_t i = 0; i < block_count; i++) {
        rf_free(blocks[i]);
    }
    return argument;
}

static void
run_in_thread(void *(*body)(void *))
{
    pthread_t thread;

    REQUIRE(pthread_create(&thread, NULL, body, NULL) == 0);
    pthread_join(thread, NULL);
}

static void
the_owner_sleeps(void)
{
    size_t before = used_bytes();
    pthread_t owner;

    REQUIRE(pthread_create(&owner, NULL, fill_and_sleep, NULL) == 0);
    sem_wait(&filled);
    REQUIRE(used_bytes() > before + block_count * BLOCK / 2);
    run_in_thread(free_all);
    REQUIRE(used_bytes() < before + SLACK);
    sem_post(&wake_up);
    pthread_join(owner, NULL);
}

static void
the_owner_has_ended(void)
{
    size_t before = used_bytes();

    run_in_thread(fill_free_a_few_and_end);
    sem_wait(&filled);
    run_in_thread(free_all);
    REQUIRE(used_bytes() < before + SLACK);
}

/* Idle heaps are emptied by whoever ticks, a while after their end. */
static void
idle_heaps_are_swept(void)
{
    run_in_thread(fill_free_a_few_and_end);
    sem_wait(&filled);
    size_t kept = used_bytes();

    for (size_t i = 0; i < block_count; i++) {
        if (i % 64 != 1) {
            rf_free(blocks[i]);
            blocks[i] = NULL;
        }
    }
    for (unsigned round = 0; round < 50; round++) {
        void *passing[200];

        nanosleep(&(struct timespec){0, 10000000}, NULL);
        for (unsigned i = 0; i < 200; i++) {
            passing[i] = rf_malloc(8192);
        }
        for (unsigned i = 0; i < 200; i++) {
            rf_free(passing[i]);
        }
    }
    free_all(NULL);
    rf_trim(0);
    REQUIRE(used_bytes() < kept / 4 + SLACK);
}

int
main(int count, char **arguments)
{
    block_count = ((size_t)stress_amount(count, arguments, 64) << 20) / BLOCK;
    blocks = calloc(block_count, sizeof(*blocks));
    REQUIRE(blocks != NULL);
    REQUIRE(sem_init(&filled, 0, 0) == 0 && sem_init(&wake_up, 0, 0) == 0);
    the_owner_sleeps();
    the_owner_has_ended();
    idle_heaps_are_swept();
    stress_audit();
    free(blocks);
    return 0;
}
