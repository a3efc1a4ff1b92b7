/* SPDX-License-Identifier: MIT
 *
 * The slow half of operator new, and what it does when there is no memory:
 * call the program's new handler until that frees memory, removes itself, or
 * leaves by an exception. The handler and the exception are the C++
 * library's, which a C program does not have: they are reached by weak names
 * only.
 *
 * No lock is held and no heap is busy while a handler runs: it may allocate,
 * throw, or leave with longjmp.
 */
#ifndef RINGFENCE_INTERPOSE_NEW_FAILURE_H
#define RINGFENCE_INTERPOSE_NEW_FAILURE_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A block, or std::bad_alloc is thrown; also for an alignment that is no
 * power of two. */
void *rfi_new_slow(size_t size);
void *rfi_new_aligned(size_t size, size_t align);

/* A block or NULL; nothing is ever thrown. */
void *rfi_new_slow_nothrow(size_t size);
void *rfi_new_aligned_nothrow(size_t size, size_t align);

/* Calls a new handler; false when it threw something, which is swallowed.
 * In new_handler_guard.cc. */
bool rfi_new_handler_call_guarded(void (*handler)(void));

#ifdef __cplusplus
}
#endif

#endif
