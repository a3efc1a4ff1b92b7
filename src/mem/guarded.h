/* SPDX-License-Identifier: MIT
 *
 * Mappings for the allocator's own data: usable bytes between two no-access
 * pages, so that no run of user bytes ends next to them.
 *
 *   [ no access : 1 page ][ zeroed, usable : size ][ no access : 1 page ]
 *
 * `size` is a multiple of the page size.
 */
#ifndef RINGFENCE_MEM_GUARDED_H
#define RINGFENCE_MEM_GUARDED_H

#include <stddef.h>

/* 0, and *result the first usable byte; or -errno. */
int rfi_guarded_map(void **result, size_t size);

/* Gives a mapping back. When the kernel refuses, it stays as address space
 * that nobody uses. */
void rfi_guarded_unmap(void *usable, size_t size);

#endif
