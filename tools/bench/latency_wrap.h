/* SPDX-License-Identifier: MIT
 *
 * Included ahead of every workload file of ringfence-workloads-latency: puts
 * a clock around the allocator's functions. See latency.h.
 */
#ifndef RINGFENCE_BENCH_LATENCY_WRAP_H
#define RINGFENCE_BENCH_LATENCY_WRAP_H

#include <stdlib.h>

void *latency_malloc(size_t size);
void *latency_calloc(size_t count, size_t size);
void *latency_realloc(void *block, size_t size);
void latency_free(void *block);

#define malloc(size) latency_malloc(size)
#define calloc(count, size) latency_calloc(count, size)
#define realloc(block, size) latency_realloc(block, size)
#define free(block) latency_free(block)

#endif
