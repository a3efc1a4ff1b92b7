/* SPDX-License-Identifier: MIT
 *
 * 200 threads that each allocated, freed all of it and now wait: what they
 * keep is bounded. First a few blocks of many sizes, then 3.5 MB each; the
 * bounds are those of per-thread caches, some pages per size class, while
 * one thread goes on working.
 */
#include "case.h"

#define THREADS 200
#define STACK_BYTES (64 * KIB)
#define LITTLE_COUNT 100
#define LITTLE_KEPT_KIB 256
#define MUCH_COUNT 10000
#define MUCH_KEPT_KIB 2048

static pthread_barrier_t barrier;
static size_t count_each;

static void *
work_then_wait(void *argument)
{
    uint64_t state = (uintptr_t)argument + 31;
    void **blocks = malloc(count_each * sizeof(void *));

    for (size_t i = 0; i < count_each; i++) {
        size_t size = 16 + random_size(&state, 2048);

        blocks[i] = malloc(size);
        EXPECT(blocks[i] != NULL);
        memset(blocks[i], 1, size);
    }
    for (size_t i = 0; i < count_each; i++) {
        free(blocks[i]);
    }
    free(blocks);
    (void)pthread_barrier_wait(&barrier);
    (void)pthread_barrier_wait(&barrier);
    return NULL;
}

static void
work_on(void)
{
    static void *blocks[10000];

    for (int round = 0; round < 20; round++) {
        sleep_ms(50);
        for (size_t i = 0; i < COUNT_OF(blocks); i++) {
            blocks[i] = malloc(300);
        }
        for (size_t i = 0; i < COUNT_OF(blocks); i++) {
            free(blocks[i]);
        }
        free(opaque(malloc(200 * KIB)));
    }
}

static void
run_round(size_t count, long kept_kib)
{
    pthread_attr_t attributes;
    pthread_t threads[THREADS];
    long before = rss_kib();

    count_each = count;
    EXPECT(pthread_barrier_init(&barrier, NULL, THREADS + 1) == 0);
    EXPECT(pthread_attr_init(&attributes) == 0);
    EXPECT(pthread_attr_setstacksize(&attributes, STACK_BYTES) == 0);
    for (uintptr_t i = 0; i < THREADS; i++) {
        EXPECT(pthread_create(&threads[i], &attributes, work_then_wait,
                              (void *)i) == 0);
    }
    (void)pthread_barrier_wait(&barrier);
    work_on();
    EXPECT_AT_MOST(rss_kib() - before, THREADS * kept_kib);
    (void)pthread_barrier_wait(&barrier);
    for (size_t i = 0; i < THREADS; i++) {
        join_thread(threads[i]);
    }
}

int
main(void)
{
    run_round(LITTLE_COUNT, LITTLE_KEPT_KIB);
    run_round(MUCH_COUNT, MUCH_KEPT_KIB);
    return finish();
}
