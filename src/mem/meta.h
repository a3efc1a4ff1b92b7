/* SPDX-License-Identifier: MIT
 *
 * Memory for the allocator's own records (heaps, segment records, tables):
 * mappings of its own with a no-access page on both sides, never next to
 * user bytes and never given back. Zeroed. Thread-safe.
 */
#ifndef RINGFENCE_MEM_META_H
#define RINGFENCE_MEM_META_H

#include <stddef.h>

/* `size` zeroed bytes, aligned to `align` (a power of two up to the page
 * size), or NULL when the system has no memory. Never freed. */
void *rfi_meta_alloc(size_t size, size_t align);

/* Bytes of metadata mapped so far, without the directory. */
size_t rfi_meta_mapped(void);

/* Around fork; called by api/lifecycle.c in rank order. */
void rfi_meta_fork_prepare(void);
void rfi_meta_fork_parent(void);
void rfi_meta_fork_child(void);

#endif
