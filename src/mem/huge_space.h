/* SPDX-License-Identifier: MIT
 *
 * What the files of the huge layer share: huge.c, huge_resize.c and
 * huge_audit.c. Nobody else includes this. Guarded by the lock, but for the
 * counters, which anybody may read.
 */
#ifndef RINGFENCE_MEM_HUGE_SPACE_H
#define RINGFENCE_MEM_HUGE_SPACE_H

#include <stdatomic.h>
#include <stddef.h>

#include "base/compiler.h"
#include "core/lock.h"
#include "mem/huge_cache.h"
#include "mem/huge_table.h"
#include "mem/span.h"

typedef struct rfi_huge_space {
    rfi_lock_t lock;
    rfi_huge_table_t table;
    rfi_huge_cache_t cache;
    _Atomic(size_t) blocks;
    _Atomic(size_t) mapped_bytes; /* of live blocks */
    _Atomic(size_t) cached_bytes; /* copy of cache.bytes */
} rfi_huge_space_t;

extern RFI_HIDDEN rfi_huge_space_t rfi_huge_space;

/* The length of the mapping for so many bytes, and its least alignment. */
size_t rfi_huge_mapping_size(size_t bytes);
size_t rfi_huge_mapping_align(size_t size);

/* Enters the block into table and directory; a reservation is used up. The
 * lock is held. */
void rfi_huge_publish(char *start, size_t size, size_t bytes);

/* Takes the block out of both. The lock is held. */
void rfi_huge_withdraw(rfi_span_t *head);

/* Gives a mapping that nobody knows to the kernel; when that refuses it,
 * to the cache. Without the lock. */
bool rfi_huge_release(const rfi_huge_mapping_t *mapping);

#endif
