/* SPDX-License-Identifier: MIT
 *
 * A small arena for calls that cannot use the thread's heap: from a signal
 * handler that interrupted a slow path, from libc while we start, from a
 * thread for which no heap could be made. Lock-free bump allocation; when
 * the last block is freed it starts anew. Each block has a header with its
 * size in front of it.
 */
#ifndef RINGFENCE_FRONT_EMERGENCY_H
#define RINGFENCE_FRONT_EMERGENCY_H

#include <stdbool.h>
#include <stddef.h>

/* Maps the arena. Called once, at start; false when out of memory, and then
 * every allocation returns NULL. */
bool rfi_emergency_start(void);

/* `size` zeroed bytes at a multiple of `align` (a power of two), or NULL. */
void *rfi_emergency_alloc(size_t size, size_t align);

/* False when the address is no live block of the arena. */
bool rfi_emergency_free(void *block);

/* Size given to rfi_emergency_alloc(), or 0 when the address is no block. */
size_t rfi_emergency_size(const void *block);

#endif
