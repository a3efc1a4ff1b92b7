/* SPDX-License-Identifier: MIT
 *
 * What happens when the fast path gives up: one function per operation. Each
 * takes the calling thread's heap (attached, or rfi_heap_attaching when none
 * could be had), finds out what is wanted, and asks heap or mem.
 *
 * No function touches errno. NULL means out of memory, with nothing changed.
 */
#ifndef RINGFENCE_FRONT_FRONT_H
#define RINGFENCE_FRONT_FRONT_H

#include <stdbool.h>
#include <stddef.h>

#include "core/fault.h"
#include "heap/heap.h"

/* Requests above this fail, as in the C library: differences of pointers
 * into one object must fit ptrdiff_t. */
#define RFI_REQUEST_MAX ((size_t)PTRDIFF_MAX)

void *rfi_front_alloc(rfi_heap_t *heap, size_t size);
void *rfi_front_alloc_zeroed(rfi_heap_t *heap, size_t size);

/* `align` is a power of two. */
void *rfi_front_alloc_aligned(rfi_heap_t *heap, size_t size, size_t align);

/* Not NULL. Classifies the pointer; raises a fault when it is no live block.
 * `function` is the public function called, for the report. */
void rfi_front_free(rfi_heap_t *heap, void *pointer, const char *function);

/* A fast free has ended a countdown. */
void rfi_front_free_event(rfi_heap_t *heap, rfi_span_t *span);

/* Changes the size of a block, in place or by moving it. Not NULL, size not
 * 0. NULL: the block is unchanged. */
void *rfi_front_resize(rfi_heap_t *heap, void *pointer, size_t size);

/* Bytes that the caller may use. Not NULL. */
size_t rfi_front_usable(void *pointer);

#endif
