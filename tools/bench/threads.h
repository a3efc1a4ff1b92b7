/* SPDX-License-Identifier: MIT
 *
 * Starting and joining the threads of a workload.
 */
#ifndef RINGFENCE_BENCH_THREADS_H
#define RINGFENCE_BENCH_THREADS_H

#include <pthread.h>

typedef void threads_body_t(unsigned index, void *argument);

/* Runs body(0..count-1) on threads of their own, which start together, and
 * waits for all of them. */
void threads_run(unsigned count, threads_body_t *body, void *argument);

/* One thread, for workloads that let threads come and go. */
pthread_t threads_start(void *(*body)(void *), void *argument);
void *threads_join(pthread_t thread);

#endif
