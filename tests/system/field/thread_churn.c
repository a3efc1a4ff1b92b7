/* SPDX-License-Identifier: MIT
 *
 * Case 22: thousands of short threads, four at a time. Each allocates, frees
 * half and leaves the rest to the main thread, which frees it after the end
 * of the thread. Argument `heavy`: a thread leaves 8 MiB behind.
 */
#include "case.h"

#define AT_ONCE 4
#define BLOCK_BYTES 640
#define LIGHT_BLOCKS 100
#define HEAVY_BLOCKS (8 * MIB / BLOCK_BYTES)
#define WARM_UP_THREADS 400

typedef struct task {
    size_t count;
    void *blocks[HEAVY_BLOCKS];
} task_t;

static void *
allocate(void *argument)
{
    task_t *task = argument;

    for (size_t i = 0; i < task->count; i++) {
        task->blocks[i] = malloc(BLOCK_BYTES);
        EXPECT(task->blocks[i] != NULL);
        memset(task->blocks[i], 1, BLOCK_BYTES);
    }
    for (size_t i = 0; task->count == LIGHT_BLOCKS && i < task->count;
         i += 2) {
        free(task->blocks[i]);
        task->blocks[i] = NULL;
    }
    return NULL;
}

static void
run_threads(size_t count, size_t blocks_each)
{
    static task_t tasks[AT_ONCE];
    pthread_t threads[AT_ONCE];

    for (size_t done = 0; done < count; done += AT_ONCE) {
        for (size_t i = 0; i < AT_ONCE; i++) {
            tasks[i].count = blocks_each;
            threads[i] = start_thread(allocate, &tasks[i]);
        }
        for (size_t i = 0; i < AT_ONCE; i++) {
            join_thread(threads[i]);
            for (size_t j = 0; j < tasks[i].count; j++) {
                free(tasks[i].blocks[j]);
            }
        }
    }
}

int
main(int count, char **arguments)
{
    bool heavy = count > 1 && strcmp(arguments[1], "heavy") == 0;
    size_t threads = heavy ? scaled(800, 200) : scaled(20000, 4000);
    size_t warm_up = heavy ? 40 : WARM_UP_THREADS;
    size_t blocks_each = heavy ? HEAVY_BLOCKS : LIGHT_BLOCKS;
    long resident;
    long mapped;

    run_threads(warm_up, blocks_each);
    resident = rss_kib();
    mapped = vsz_kib();
    run_threads(threads - warm_up, blocks_each);
    EXPECT_AT_MOST(rss_kib() - resident, heavy ? 16 * 1024 : 4 * 1024);
    EXPECT_AT_MOST(vsz_kib() - mapped, 256 * 1024);
    return finish();
}
