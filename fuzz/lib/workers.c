/* SPDX-License-Identifier: MIT
 *
 * See workers.h.
 */
#include "workers.h"

#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdbool.h>

#include "check.h"

typedef struct worker {
    pthread_t thread;
    sem_t told;
    sem_t done;
    worker_job_t job; /* NULL tells the thread to end */
    unsigned number;
    bool exists;
    bool is_working; /* as the conductor knows */
} worker_t;

static worker_t workers[WORKERS_MAX];

static void
wait_for(sem_t *semaphore)
{
    while (sem_wait(semaphore) != 0) {
        check(errno == EINTR, "sem_wait failed with %d", errno);
    }
}

static void *
work(void *argument)
{
    worker_t *worker = argument;

    for (;;) {
        wait_for(&worker->told);
        if (worker->job == NULL) {
            return NULL;
        }
        worker->job(worker->number);
        sem_post(&worker->done);
    }
}

static void
start(worker_t *worker)
{
    worker->number = (unsigned)(worker - workers);
    sem_init(&worker->told, 0, 0);
    sem_init(&worker->done, 0, 0);
    int error = pthread_create(&worker->thread, NULL, work, worker);

    check(error == 0, "pthread_create failed with %d", error);
    worker->exists = true;
}

void
workers_tell(unsigned number, worker_job_t job)
{
    worker_t *worker = &workers[number];

    if (!worker->exists) {
        start(worker);
    }
    worker->job = job;
    worker->is_working = true;
    sem_post(&worker->told);
}

void
workers_wait(unsigned number)
{
    worker_t *worker = &workers[number];

    if (worker->is_working) {
        wait_for(&worker->done);
        worker->is_working = false;
    }
}

void
workers_end(unsigned number)
{
    worker_t *worker = &workers[number];

    workers_wait(number);
    if (worker->exists) {
        worker->job = NULL;
        sem_post(&worker->told);
        pthread_join(worker->thread, NULL);
        worker->exists = false;
    }
}
