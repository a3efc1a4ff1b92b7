/* SPDX-License-Identifier: MIT
 *
 * Case 2: four threads allocate, resize and free without pause while the main
 * thread forks again and again. Each child must be able to allocate in every
 * class, to free blocks it inherited, some of them from threads that do not
 * exist in it, and to call functions of libc that allocate.
 */
#include <dirent.h>
#include <sys/wait.h>

#include "case.h"

#define THREADS 4
#define SLOTS 64
#define SHARED_BLOCKS 100
#define LARGEST (2 * MIB)
#define CHILD_SECONDS 20

typedef struct stamped {
    size_t size;
    uint64_t stamp;
} stamped_t;

/* Blocks that any thread may take: a child inherits and frees them. */
static stamped_t *shared_blocks[SHARED_BLOCKS];
static _Atomic bool stopping;

static uint64_t
stamp_of(const stamped_t *block)
{
    return (uintptr_t)block ^ block->size ^ 0x5EEDULL;
}

static stamped_t *
new_block(stamped_t *old, uint64_t *state)
{
    size_t size = sizeof(stamped_t) + random_size(state, LARGEST);
    stamped_t *block = realloc(old, size);

    EXPECT(block != NULL);
    block->size = size;
    block->stamp = stamp_of(block);
    ((char *)block)[size - 1] |= 1;
    return block;
}

static void
drop_block(stamped_t *block)
{
    if (block != NULL) {
        EXPECT(block->stamp == stamp_of(block));
        free(block);
    }
}

static void *
churn(void *argument)
{
    uint64_t state = (uintptr_t)argument;
    stamped_t *slots[SLOTS] = {NULL};

    while (!stopping) {
        size_t i = next_random(&state) % SLOTS;

        if (next_random(&state) % 4 == 0) {
            size_t j = next_random(&state) % SHARED_BLOCKS;

            slots[i] = __atomic_exchange_n(&shared_blocks[j], slots[i],
                                           __ATOMIC_ACQ_REL);
        } else if (next_random(&state) % 2 == 0) {
            drop_block(slots[i]);
            slots[i] = NULL;
        } else {
            slots[i] = new_block(slots[i], &state);
        }
    }
    for (size_t i = 0; i < SLOTS; i++) {
        drop_block(slots[i]);
    }
    return NULL;
}

static void
use_libc(void)
{
    DIR *directory = opendir("/");

    EXPECT(directory != NULL);
    EXPECT(readdir(directory) != NULL);
    EXPECT(closedir(directory) == 0);
    EXPECT(setenv("RINGFENCE_TEST_CHILD", "a new value", 1) == 0);
}

static void
live_as_child(uint64_t state)
{
    (void)alarm(CHILD_SECONDS);
    for (int i = 0; i < 1000; i++) {
        drop_block(new_block(NULL, &state));
    }
    for (size_t i = 0; i < SHARED_BLOCKS; i++) {
        drop_block(shared_blocks[i]);
    }
    use_libc();
    exit(0);
}

int
main(void)
{
    size_t forks = scaled(150, 40);
    pthread_t threads[THREADS];

    for (uintptr_t i = 0; i < THREADS; i++) {
        threads[i] = start_thread(churn, (void *)(i + 1));
    }
    for (size_t i = 0; i < forks; i++) {
        int status;
        pid_t child = fork();

        EXPECT(child >= 0);
        if (child == 0) {
            live_as_child(i + 1);
        }
        EXPECT(waitpid(child, &status, 0) == child);
        if (status != 0) {
            (void)printf("child %zu ended with wait status 0x%x\n", i, status);
            (void)fflush(stdout);
        }
        EXPECT(status == 0);
    }
    stopping = true;
    for (size_t i = 0; i < THREADS; i++) {
        join_thread(threads[i]);
    }
    return finish();
}
