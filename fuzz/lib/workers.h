/* SPDX-License-Identifier: MIT
 *
 * A few threads that do what they are told, one job at a time each, so that
 * an input can decide which thread does what, and when threads end. They
 * live on between inputs; a thread that has ended is replaced when it is
 * needed again, and not before.
 *
 * Called by one thread, the conductor. What it wrote before workers_tell() is
 * seen by the job, and what the job wrote is seen after workers_wait().
 */
#ifndef RINGFENCE_FUZZ_LIB_WORKERS_H
#define RINGFENCE_FUZZ_LIB_WORKERS_H

#define WORKERS_MAX 4u

typedef void (*worker_job_t)(unsigned worker);

/* Starts a job; the worker must not have one. */
void workers_tell(unsigned worker, worker_job_t job);

/* Waits for the end of the worker's job, if it has one. */
void workers_wait(unsigned worker);

/* Waits for its job, then ends the thread and waits for that, too. */
void workers_end(unsigned worker);

#endif
