/* SPDX-License-Identifier: MIT
 *
 * Four threads take, give, grow, shrink, purge, allocate and free at once,
 * and hand blocks to each other, while another audits. Every span and block
 * carries its owner's mark. Also meant to be run under ThreadSanitizer.
 */
#include <pthread.h>

#include "base/random.h"
#include "core/config.h"
#include "mem/directory.h"
#include "mem/segment.h"
#include "mem_test.h"
#include "os/process.h"

#define THREADS 4
#define SLOTS 64
#ifdef RFI_TSAN
#define ROUNDS 1500
#else
#define ROUNDS 4000
#endif

typedef struct worker {
    pthread_t thread;
    uint8_t number;
    rfi_random_t random;
    rfi_span_t *spans[SLOTS];
    char *blocks[SLOTS];
} worker_t;

static worker_t workers[THREADS];
static _Atomic(char *) exchange[SLOTS]; /* blocks on their way to a thread */
static _Atomic(int) mistakes;
static _Atomic(bool) done;

static uint32_t
below(worker_t *worker, uint32_t bound)
{
    return rfi_random_below(&worker->random, bound);
}

static void
expect(bool right)
{
    if (!right) {
        atomic_fetch_add(&mistakes, 1);
    }
}

static void
work_on_span(worker_t *worker, rfi_span_t **span)
{
    uint32_t count = 1 + below(worker, 16);
    bool zero;

    if (*span == NULL) {
        *span = rfi_granule_take(count, 1U << below(worker, 3),
                                 RFI_SPAN_SMALL);
        expect(*span != NULL);
        *(uint8_t *)rfi_directory_address(*span) = worker->number;
        return;
    }
    expect(*(uint8_t *)rfi_directory_address(*span) == worker->number);
    if (count > (*span)->granules) {
        (void)rfi_granule_grow(*span, count, &zero);
    } else if (count < (*span)->granules && below(worker, 2) == 0) {
        rfi_granule_shrink(*span, count);
    } else {
        rfi_granule_give(*span, false);
        *span = NULL;
    }
}

static void
free_block(char *block)
{
    rfi_span_t *head = rfi_directory_find_head(block);

    expect(head != NULL && rfi_directory_address(head) == block);
    expect(block[4000] == 0x5c);
    expect(rfi_large_free(head));
}

static void
work_on_block(worker_t *worker, char **block)
{
    size_t size = below(worker, 40) == 0 ? (16 + below(worker, 5)) * MIB
                                         : (65 + below(worker, 1000)) * KIB;

    if (*block == NULL) {
        bool zeroed = below(worker, 4) == 0;

        *block = rfi_large_alloc(size, 16, zeroed);
        expect(*block != NULL && (!zeroed || (*block)[size - 1] == 0));
        (*block)[4000] = 0x5c;
        (*block)[size - 1] = 1;
        return;
    }
    char *resized =
        rfi_large_resize(rfi_directory_find_head(*block), size);

    if (resized != NULL) {
        *block = resized;
    }
    expect((*block)[4000] == 0x5c);
    /* Whoever put a block there before has it freed by us. */
    *block = atomic_exchange(&exchange[below(worker, SLOTS)], *block);
    if (*block != NULL) {
        free_block(*block);
        *block = NULL;
    }
}

static void *
work(void *argument)
{
    worker_t *worker = argument;

    for (int round = 0; round < ROUNDS; round++) {
        uint32_t slot = below(worker, SLOTS);

        if (below(worker, 500) == 0) {
            (void)rfi_granule_purge(rfi_process_clock_ms(), true);
            (void)rfi_huge_purge(rfi_process_clock_ms(), true);
        } else if (below(worker, 10) == 0) {
            (void)rfi_granule_purge(rfi_process_clock_ms(), false);
            (void)rfi_huge_purge(rfi_process_clock_ms(), false);
        } else if (below(worker, 2) == 0) {
            work_on_span(worker, &worker->spans[slot]);
        } else {
            work_on_block(worker, &worker->blocks[slot]);
        }
    }
    return NULL;
}

static void
count_span(rfi_span_t *span, void *context)
{
    (void)span;
    ++*(size_t *)context;
}

static void *
watch(void *argument)
{
    while (!atomic_load(&done)) {
        rfi_granule_stats_t granules;
        rfi_large_stats_t large;
        size_t spans = 0;

        expect(rfi_granule_audit() == 0);
        expect(rfi_huge_audit() == 0);
        rfi_granule_stats(&granules);
        rfi_large_stats(&large);
        rfi_directory_walk(count_span, &spans);
        expect(rfi_directory_find_head(&spans) == NULL);
        expect(rfi_huge_find(&spans) == NULL);
    }
    return argument;
}

static void
clean_up(worker_t *worker)
{
    for (int i = 0; i < SLOTS; i++) {
        if (worker->spans[i] != NULL) {
            rfi_granule_give(worker->spans[i], false);
        }
        if (worker->blocks[i] != NULL) {
            free_block(worker->blocks[i]);
        }
        worker->spans[i] = NULL;
        worker->blocks[i] = NULL;
    }
}

static void
work_together(void)
{
    pthread_t watcher;
    const uint8_t key[RFI_RANDOM_KEY_BYTES] = {11};
    rfi_granule_stats_t stats;

    done = false;
    pthread_create(&watcher, NULL, watch, NULL);
    for (uint8_t i = 0; i < THREADS; i++) {
        workers[i].number = i + 1;
        rfi_random_seed(&workers[i].random, key);
        rfi_random_ratchet(&workers[i].random, i);
        pthread_create(&workers[i].thread, NULL, work, &workers[i]);
    }
    for (int i = 0; i < THREADS; i++) {
        pthread_join(workers[i].thread, NULL);
    }
    done = true;
    pthread_join(watcher, NULL);
    for (int i = 0; i < THREADS; i++) {
        clean_up(&workers[i]);
    }
    for (int i = 0; i < SLOTS; i++) {
        if (exchange[i] != NULL) {
            free_block(exchange[i]);
            exchange[i] = NULL;
        }
    }
    (void)rfi_huge_purge(0, true);
    (void)rfi_granule_purge(0, true);
    assert_int_equal(mistakes, 0);
    assert_sound();
    rfi_granule_stats(&stats);
    assert_int_equal(stats.used_bytes, 0);
    assert_int_equal(stats.segments, 1);
}

static void
threads_do_not_disturb_each_other(void **state)
{
    (void)state;
    rfi_segment_overcommit = 0;
    rfi_config.dirty_decay_ms = 5;
    work_together();
}

static void
nor_when_purging_at_once(void **state)
{
    (void)state;
    rfi_segment_overcommit = 0;
    rfi_config.dirty_decay_ms = 0;
    work_together();
}

/* Last, since chunks may be without access afterwards. */
static void
nor_when_strict(void **state)
{
    (void)state;
    rfi_segment_overcommit = 2;
    rfi_config.dirty_decay_ms = 5;
    work_together();
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(threads_do_not_disturb_each_other),
        cmocka_unit_test(nor_when_purging_at_once),
        cmocka_unit_test(nor_when_strict),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
