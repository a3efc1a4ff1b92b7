/* SPDX-License-Identifier: MIT
 *
 * Forks while threads allocate: each child allocates, frees blocks that it
 * has inherited from living and frozen heaps, and makes a thread. A child
 * that hangs is ended by its alarm.
 *
 *   fork_stress [FORKS]
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/compiler.h"
#include "stress.h"

#define THREADS 3
#define SLOTS 512
#define CHILD_SECONDS 20

static _Atomic(void *) shared[SLOTS];
static _Atomic(bool) finished;

static void
work_for(unsigned operations, uint64_t *random)
{
    for (unsigned i = 0; i < operations; i++) {
        void *block = stress_take(random, stress_size(random));
        size_t slot = stress_random(random) % SLOTS;

        REQUIRE(block != NULL);
        stress_give(atomic_exchange(&shared[slot], block));
    }
}

static void *
work(void *argument)
{
    uint64_t random = (uint64_t)(uintptr_t)argument;

    while (!atomic_load(&finished)) {
        work_for(100, &random);
    }
    return NULL;
}

static void *
work_a_little(void *argument)
{
    uint64_t random = (uint64_t)(uintptr_t)argument;

    work_for(100, &random);
    return NULL;
}

static void
live_as_child(unsigned number)
{
    pthread_t thread;

    alarm(CHILD_SECONDS);
    work_a_little((void *)(uintptr_t)(number + 1000));
    /* The sanitizers do not let a child of a threaded process make threads. */
#if !defined(RFI_TSAN) && !defined(RFI_ASAN)
    REQUIRE(pthread_create(&thread, NULL, work_a_little, NULL) == 0);
    pthread_join(thread, NULL);
#else
    (void)thread;
#endif
    _exit(0);
}

int
main(int count, char **arguments)
{
    unsigned forks = stress_amount(count, arguments, 30);
    pthread_t threads[THREADS];

    /* Starts the library: until then nobody listens to forks. */
    work_a_little(NULL);
    for (unsigned i = 0; i < THREADS; i++) {
        REQUIRE(pthread_create(&threads[i], NULL, work,
                               (void *)(uintptr_t)(i + 1))
                == 0);
    }
    for (unsigned i = 0; i < forks; i++) {
        int status = -1;
        pid_t child = fork();

        REQUIRE(child >= 0);
        if (child == 0) {
            live_as_child(i);
        }
        REQUIRE(waitpid(child, &status, 0) == child);
        REQUIRE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    }
    atomic_store(&finished, true);
    for (unsigned i = 0; i < THREADS; i++) {
        pthread_join(threads[i], NULL);
    }
    stress_audit();
    return 0;
}
