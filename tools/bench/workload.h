/* SPDX-License-Identifier: MIT
 *
 * What a workload is: a function that does a fixed, repeatable amount of
 * work with plain malloc and free, so that a preloaded library decides which
 * allocator serves it. main.c runs one per process, so that no workload
 * inherits the heap of another.
 */
#ifndef RINGFENCE_BENCH_WORKLOAD_H
#define RINGFENCE_BENCH_WORKLOAD_H

#include <stddef.h>
#include <stdint.h>

typedef struct workload_args {
    unsigned threads; /* at least 1 */
    double scale;     /* multiplies the amount of work */
} workload_args_t;

typedef struct workload_result {
    uint64_t operations; /* allocations, reallocations and frees */
    /* Workloads that keep memory say how much they asked for; main.c then
     * sets it against what the process gained. 0: nothing is kept. */
    uint64_t live_bytes;
} workload_result_t;

typedef struct workload {
    const char *name;
    unsigned threads; /* default */
    const char *text;
    void (*run)(const workload_args_t *args, workload_result_t *result);
} workload_t;

#define WORKLOAD(name, threads, text) \
    void workload_##name(const workload_args_t *args, \
                         workload_result_t *result);
#include "workloads.def"
#undef WORKLOAD

/* `count` times the scale, but at least 1. */
uint64_t workload_scaled(const workload_args_t *args, uint64_t count);

/* The result of an allocation; ends the process when it is NULL. */
void *workload_check(void *block);

#endif
