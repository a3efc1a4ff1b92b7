/* SPDX-License-Identifier: MIT
 *
 * Blocks cross threads: freed and resized by others, also after the thread
 * that made them has ended, and in the child of fork.
 */
#include <pthread.h>
#include <ringfence/ringfence.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support/test.h"

#define BLOCKS 5000u
#define THREADS 4u

typedef struct bundle {
    unsigned char *blocks[BLOCKS];
    unsigned seed;
} bundle_t;

static bundle_t bundles[THREADS];

static size_t
size_of(const bundle_t *bundle, size_t index)
{
    size_t number = index * 2654435761u + bundle->seed;

    return number % 97 == 0 ? number % 200000 + 1 : number % 1000 + 1;
}

/* Threads report with their result: asserting is for the main thread. */
static void *
fill_bundle(void *argument)
{
    bundle_t *bundle = argument;

    for (size_t i = 0; i < BLOCKS; i++) {
        size_t size = size_of(bundle, i);

        bundle->blocks[i] = rf_malloc(size);
        if (bundle->blocks[i] == NULL) {
            return bundle;
        }
        memset(bundle->blocks[i], (int)(bundle->seed + i) & 0xff, size);
    }
    return NULL;
}

static bool
is_intact(const bundle_t *bundle, size_t index)
{
    size_t size = size_of(bundle, index);
    unsigned char expected = (unsigned char)(bundle->seed + index);
    const unsigned char *block = bundle->blocks[index];

    return block[0] == expected && block[size / 2] == expected &&
           block[size - 1] == expected;
}

static void *
empty_bundle(void *argument)
{
    bundle_t *bundle = argument;
    void *result = NULL;

    for (size_t i = 0; i < BLOCKS; i++) {
        if (!is_intact(bundle, i)) {
            result = bundle;
        }
        if (i % 3 == 0) {
            bundle->blocks[i] =
                rf_realloc(bundle->blocks[i], size_of(bundle, i) + 500);
            if (!is_intact(bundle, i)) {
                result = bundle;
            }
        }
        rf_free(bundle->blocks[i]);
    }
    return result;
}

/* Thread t works on the bundle of thread t + shift. */
static void
run_threads(void *(*body)(void *), unsigned shift)
{
    pthread_t threads[THREADS];

    for (unsigned t = 0; t < THREADS; t++) {
        assert_int_equal(pthread_create(&threads[t], NULL, body,
                                        &bundles[(t + shift) % THREADS]),
                         0);
    }
    for (unsigned t = 0; t < THREADS; t++) {
        void *result;

        assert_int_equal(pthread_join(threads[t], &result), 0);
        assert_null(result);
    }
}

static void
others_may_free(void **state)
{
    (void)state;
    for (unsigned round = 0; round < 10; round++) {
        for (unsigned t = 0; t < THREADS; t++) {
            bundles[t].seed = round * 131 + t;
        }
        run_threads(fill_bundle, 0);
        run_threads(empty_bundle, round);
    }
}

static void
blocks_outlive_their_thread(void **state)
{
    (void)state;
    run_threads(fill_bundle, 0);
    for (unsigned t = 0; t < THREADS; t++) {
        assert_null(empty_bundle(&bundles[t]));
    }
}

static void *
nothing_but_free(void *argument)
{
    rf_free(argument);
    return NULL;
}

static void
a_thread_may_only_free(void **state)
{
    rf_stats_t stats = {.size = sizeof(stats)};

    (void)state;
    assert_int_equal(rf_stats_read(&stats), 0);
    size_t live = stats.live_bytes;

    for (int i = 0; i < 200; i++) {
        pthread_t thread;
        void *block = rf_malloc(592);

        assert_non_null(block);
        assert_int_equal(
            pthread_create(&thread, NULL, nothing_but_free, block), 0);
        assert_int_equal(pthread_join(thread, NULL), 0);
    }
    assert_int_equal(rf_stats_read(&stats), 0);
    assert_true(stats.live_bytes < live + 100 * 592);
}

static void
a_child_inherits_the_heap(void **state)
{
    int status;

    (void)state;
    run_threads(fill_bundle, 0);
    pid_t child = fork();

    if (child == 0) {
        bool good = true;

        for (unsigned t = 0; t < THREADS; t++) {
            good = empty_bundle(&bundles[t]) == NULL && good;
            good = fill_bundle(&bundles[t]) == NULL && good;
        }
        _exit(good ? 0 : 1);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    run_threads(empty_bundle, 1);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(others_may_free),
        cmocka_unit_test(blocks_outlive_their_thread),
        cmocka_unit_test(a_thread_may_only_free),
        cmocka_unit_test(a_child_inherits_the_heap),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
