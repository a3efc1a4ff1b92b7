/* SPDX-License-Identifier: MIT
 *
 * What the stress tests share: cheap random numbers per thread, blocks that
 * know what they must contain, audits of everything, and a way to fail.
 */
#ifndef RINGFENCE_TESTS_STRESS_STRESS_H
#define RINGFENCE_TESTS_STRESS_STRESS_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

/* Ends the process: the heap is wrong. */
#define REQUIRE(condition) \
    ((condition) ? (void)0 : stress_fail(#condition, __FILE__, __LINE__))

__attribute__((noreturn)) void stress_fail(const char *condition,
                                           const char *file, int line);

/* The next number of a thread's own stream; `state` starts at any value. */
uint64_t stress_random(uint64_t *state);

/* Mostly small, sometimes of any class, seldom large. */
size_t stress_size(uint64_t *random);

/* A block of at least 16 bytes whose words are a function of its size and
 * address; NULL when out of memory. By malloc, calloc, realloc or
 * aligned_alloc, as chance will have it. */
void *stress_take(uint64_t *random, size_t size);

/* Checks the words, spoils them, frees the block. NULL is ignored. */
void stress_give(void *block);

/* Audits all heaps, the granules and the huge blocks; nobody may be using
 * them. */
void stress_audit(void);

/* Resident memory of the process. */
size_t stress_resident_bytes(void);

/* The test's first argument as a number, else the default, which a slow
 * (instrumented) build divides by ten. */
unsigned stress_amount(int count, char **arguments, unsigned otherwise);

#endif
