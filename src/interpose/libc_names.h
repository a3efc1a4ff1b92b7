/* SPDX-License-Identifier: MIT
 *
 * Functions of the malloc family that libc's headers do not declare: old
 * names, names for internal use that programs call all the same, and names
 * that are younger than the headers we are built with.
 */
#ifndef RINGFENCE_INTERPOSE_LIBC_NAMES_H
#define RINGFENCE_INTERPOSE_LIBC_NAMES_H

#include <malloc.h>
#include <stddef.h>

void cfree(void *block);

/* C23 */
void free_sized(void *block, size_t size);
void free_aligned_sized(void *block, size_t align, size_t size);

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *block, size_t size);
void *__libc_memalign(size_t align, size_t size);
void *__libc_valloc(size_t size);
void *__libc_pvalloc(size_t size);
void __libc_free(void *block);
struct mallinfo __libc_mallinfo(void);
int __libc_mallopt(int parameter, int value);

#endif
