/* SPDX-License-Identifier: MIT
 *
 * The threads of a workload. A thread that ends hands its latency figures
 * to the process, in the build that has any.
 */
#include "threads.h"

#include <stdio.h>
#include <stdlib.h>

#include "latency.h"
#include "workload.h"

typedef struct member {
    threads_body_t *body;
    void *argument;
    pthread_barrier_t *start;
    unsigned index;
} member_t;

static void *
run_member(void *argument)
{
    const member_t *member = argument;
    pthread_barrier_wait(member->start);
    member->body(member->index, member->argument);
    latency_flush();
    return NULL;
}

pthread_t
threads_start(void *(*body)(void *), void *argument)
{
    pthread_t thread;
    if (pthread_create(&thread, NULL, body, argument) != 0) {
        fputs("ringfence-workloads: cannot start a thread\n", stderr);
        exit(1);
    }
    return thread;
}

void *
threads_join(pthread_t thread)
{
    void *result = NULL;
    pthread_join(thread, &result);
    return result;
}

void
threads_run(unsigned count, threads_body_t *body, void *argument)
{
    member_t *members = workload_check(calloc(count, sizeof(*members)));
    pthread_t *threads = workload_check(calloc(count, sizeof(*threads)));
    pthread_barrier_t start;

    pthread_barrier_init(&start, NULL, count);
    for (unsigned i = 0; i < count; i++) {
        members[i] = (member_t){body, argument, &start, i};
        threads[i] = threads_start(run_member, &members[i]);
    }
    for (unsigned i = 0; i < count; i++) {
        threads_join(threads[i]);
    }
    pthread_barrier_destroy(&start);
    free(threads);
    free(members);
}
