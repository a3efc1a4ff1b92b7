/* SPDX-License-Identifier: MIT
 *
 * The small path takes no lock: 64 threads, each with random numbers of its
 * own, allocate and free small blocks, and free many of each other's. Counted
 * are the waits for our locks in the kernel (there is no other futex call in
 * the allocator): hardly any, and none at all for a thread that is alone.
 *
 *   lock_free_path [OPERATIONS of each thread]
 */
#include <pthread.h>
#include <stdatomic.h>

#include "core/lock.h"
#include "ringfence/alloc.h"
#include "stress.h"

#define THREADS 64
#define SLOTS 128
#define WAITS_PER_MILLION 200

static _Atomic(void *) mail[THREADS][SLOTS];
static pthread_barrier_t barrier;
static unsigned operations;

static void *
work(void *argument)
{
    size_t me = (size_t)(uintptr_t)argument;
    uint64_t random = me + 1;

    pthread_barrier_wait(&barrier);
    for (unsigned i = 0; i < operations; i++) {
        uint64_t dice = stress_random(&random);
        size_t slot = (size_t)(dice >> 8) % SLOTS;
        /* Every fourth block is somebody else's to free. */
        size_t to = dice % 4 == 0 ? (size_t)(dice >> 32) % THREADS : me;
        void *block = rf_malloc(16 + (size_t)(dice >> 40) % 1000);

        REQUIRE(block != NULL);
        *(size_t *)block = me;
        rf_free(atomic_exchange(&mail[to][slot], block));
    }
    pthread_barrier_wait(&barrier);
    for (unsigned i = 0; i < SLOTS; i++) {
        rf_free(atomic_exchange(&mail[me][i], NULL));
    }
    return NULL;
}

static uint64_t
waits_of(unsigned threads)
{
    static pthread_t ids[THREADS];
    uint64_t before = rfi_lock_waits();

    pthread_barrier_init(&barrier, NULL, threads);
    for (unsigned i = 0; i < threads; i++) {
        REQUIRE(pthread_create(&ids[i], NULL, work, (void *)(uintptr_t)i)
                == 0);
    }
    for (unsigned i = 0; i < threads; i++) {
        pthread_join(ids[i], NULL);
    }
    pthread_barrier_destroy(&barrier);
    return rfi_lock_waits() - before;
}

int
main(int count, char **arguments)
{
    operations = stress_amount(count, arguments, 60000);
    REQUIRE(waits_of(1) == 0);
    uint64_t waits = waits_of(THREADS);
    uint64_t millions = (uint64_t)operations * THREADS / 1000000 + 1;

    printf("%llu waits in %u operations\n", (unsigned long long)waits,
           operations * THREADS);
    REQUIRE(waits <= WAITS_PER_MILLION * millions);
    stress_audit();
    return 0;
}
