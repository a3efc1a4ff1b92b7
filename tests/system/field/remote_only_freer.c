/* SPDX-License-Identifier: MIT
 *
 * Case 21: eight producers keep a fixed set of blocks and hand every block
 * they replace to threads that only ever call free. What is freed must find
 * its way back to the producers: memory stays near what lives. Argument: the
 * number of freeing threads.
 */
#include "case.h"

#define PRODUCERS 8
#define MOST_FREERS 64
#define BLOCK_BYTES 592
#define LIVE_BYTES (64 * MIB)
#define LIVE_PER_PRODUCER (LIVE_BYTES / PRODUCERS / BLOCK_BYTES)
#define BATCH 64
#define QUEUE_BATCHES 64
#define SAMPLES 40

typedef struct batch {
    void *blocks[BATCH];
} batch_t;

/* A bounded queue of batches; full makes producers wait, empty freers. */
static struct queue {
    pthread_mutex_t lock;
    pthread_cond_t has_room;
    pthread_cond_t has_batch;
    batch_t batches[QUEUE_BATCHES];
    size_t head;
    size_t count;
    bool closed;
} queue = {.lock = PTHREAD_MUTEX_INITIALIZER,
           .has_room = PTHREAD_COND_INITIALIZER,
           .has_batch = PTHREAD_COND_INITIALIZER};

static size_t operations_each;
static size_t operations_done;

static void
push(const batch_t *batch)
{
    (void)pthread_mutex_lock(&queue.lock);
    while (queue.count == QUEUE_BATCHES) {
        (void)pthread_cond_wait(&queue.has_room, &queue.lock);
    }
    queue.batches[(queue.head + queue.count) % QUEUE_BATCHES] = *batch;
    queue.count++;
    (void)pthread_cond_signal(&queue.has_batch);
    (void)pthread_mutex_unlock(&queue.lock);
}

static bool
pop(batch_t *batch)
{
    bool has_batch;

    (void)pthread_mutex_lock(&queue.lock);
    while (queue.count == 0 && !queue.closed) {
        (void)pthread_cond_wait(&queue.has_batch, &queue.lock);
    }
    has_batch = queue.count > 0;
    if (has_batch) {
        *batch = queue.batches[queue.head];
        queue.head = (queue.head + 1) % QUEUE_BATCHES;
        queue.count--;
        (void)pthread_cond_signal(&queue.has_room);
    }
    (void)pthread_mutex_unlock(&queue.lock);
    return has_batch;
}

static void
close_queue(void)
{
    (void)pthread_mutex_lock(&queue.lock);
    queue.closed = true;
    (void)pthread_cond_broadcast(&queue.has_batch);
    (void)pthread_mutex_unlock(&queue.lock);
}

static void *
new_block(void)
{
    void *block = malloc(BLOCK_BYTES);

    EXPECT(block != NULL);
    memset(block, 1, BLOCK_BYTES);
    return block;
}

static void *
produce(void *argument)
{
    void **live = argument;
    uint64_t state = (uintptr_t)argument | 1;
    batch_t batch;

    for (size_t i = 0; i < LIVE_PER_PRODUCER; i++) {
        live[i] = new_block();
    }
    for (size_t done = 0; done < operations_each; done += BATCH) {
        for (size_t i = 0; i < BATCH; i++) {
            void **slot = &live[next_random(&state) % LIVE_PER_PRODUCER];

            batch.blocks[i] = *slot;
            *slot = new_block();
        }
        push(&batch);
        (void)__atomic_add_fetch(&operations_done, BATCH, __ATOMIC_RELAXED);
    }
    return NULL;
}

static void *
only_free(void *argument)
{
    batch_t batch;

    (void)argument;
    while (pop(&batch)) {
        for (size_t i = 0; i < BATCH; i++) {
            free(batch.blocks[i]);
        }
    }
    return NULL;
}

/* Samples of the resident size, evenly over the operations. */
static void
watch(long *samples)
{
    size_t all = operations_each * PRODUCERS;

    for (size_t i = 0; i < SAMPLES; i++) {
        while (__atomic_load_n(&operations_done, __ATOMIC_RELAXED) <
               all / SAMPLES * (i + 1) - PRODUCERS * BATCH) {
            sleep_ms(1);
        }
        samples[i] = rss_kib();
    }
}

static long
peak(const long *samples, size_t from, size_t to)
{
    long highest = 0;

    for (size_t i = from; i < to; i++) {
        highest = samples[i] > highest ? samples[i] : highest;
    }
    return highest;
}

int
main(int count, char **arguments)
{
    static void *live[PRODUCERS][LIVE_PER_PRODUCER];
    long freers = count > 1 ? atol(arguments[1]) : 1;
    pthread_t producers[PRODUCERS];
    pthread_t freeing[MOST_FREERS];
    long samples[SAMPLES];

    operations_each = scaled(20000000, 2000000) / PRODUCERS / BATCH * BATCH;
    for (long i = 0; i < freers; i++) {
        freeing[i] = start_thread(only_free, NULL);
    }
    for (size_t i = 0; i < PRODUCERS; i++) {
        producers[i] = start_thread(produce, live[i]);
    }
    watch(samples);
    for (size_t i = 0; i < PRODUCERS; i++) {
        join_thread(producers[i]);
    }
    close_queue();
    for (long i = 0; i < freers; i++) {
        join_thread(freeing[i]);
    }
    EXPECT_AT_MOST(rss_kib(), (LIVE_BYTES / 2 * 3 + 32 * MIB) / KIB);
    EXPECT_AT_MOST(peak(samples, SAMPLES / 4 * 3, SAMPLES),
                   peak(samples, SAMPLES / 4, SAMPLES / 4 * 3) / 100 * 103);
    return finish();
}
