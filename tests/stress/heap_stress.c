/* SPDX-License-Identifier: MIT
 *
 * Threads allocate and free at random, exchange blocks through a table, end
 * and are followed by new ones, while their objects live on. Every block's
 * content is checked when it is freed. In the end all is freed, and all
 * memory must be back.
 *
 *   heap_stress [OPERATIONS of each thread]
 */
#include <pthread.h>
#include <stdatomic.h>

#include "mem/granule.h"
#include "ringfence/alloc.h"
#include "stress.h"

#define THREADS 6
#define GENERATIONS 5
#define SHARED_SLOTS 1024
#define OWN_SLOTS 256

static _Atomic(void *) shared[SHARED_SLOTS];
static unsigned operations;

static void
exchange(void *block, uint64_t *random)
{
    size_t slot = stress_random(random) % SHARED_SLOTS;

    stress_give(atomic_exchange(&shared[slot], block));
}

static void *
work(void *argument)
{
    uint64_t random = (uint64_t)(uintptr_t)argument;
    void *own[OWN_SLOTS] = {NULL};

    for (unsigned i = 0; i < operations; i++) {
        size_t slot = stress_random(&random) % OWN_SLOTS;
        void *block = stress_take(&random, stress_size(&random));

        REQUIRE(block != NULL);
        if (stress_random(&random) % 4 == 0) {
            exchange(block, &random);
        } else {
            stress_give(own[slot]);
            own[slot] = block;
        }
    }
    /* Half of what is left outlives the thread. */
    for (unsigned i = 0; i < OWN_SLOTS; i++) {
        if (i % 2 == 0) {
            exchange(own[i], &random);
        } else {
            stress_give(own[i]);
        }
    }
    return NULL;
}

int
main(int count, char **arguments)
{
    operations = stress_amount(count, arguments, 30000);
    for (unsigned generation = 0; generation < GENERATIONS; generation++) {
        pthread_t threads[THREADS];

        for (unsigned i = 0; i < THREADS; i++) {
            REQUIRE(pthread_create(
                        &threads[i], NULL, work,
                        (void *)(uintptr_t)(generation * THREADS + i + 1))
                    == 0);
        }
        for (unsigned i = 0; i < THREADS; i++) {
            pthread_join(threads[i], NULL);
        }
        stress_audit();
    }
    for (unsigned i = 0; i < SHARED_SLOTS; i++) {
        stress_give(atomic_exchange(&shared[i], NULL));
    }
    rf_trim(0);
    stress_audit();
    rfi_granule_stats_t stats;

    rfi_granule_stats(&stats);
    REQUIRE(stats.used_bytes == 0);
    return 0;
}
