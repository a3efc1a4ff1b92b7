/* SPDX-License-Identifier: MIT
 *
 * A free block, as the heap sees it. Its first word links to the next free
 * block of the same span; its second word holds the key of the span, which
 * free() recognises when the same block comes again. malloc clears the key.
 *
 *   +------+-----+---------------------+
 *   | next | key |  (user's old bytes) |
 *   +------+-----+---------------------+
 *
 * The key is the address of the span's descriptor: known without a load, and
 * a value that a program has no reason to store. A program may still copy it
 * there out of uninitialised memory, so a match is a suspicion, which
 * heap/double_free.c confirms before anybody reports it.
 */
#ifndef RINGFENCE_HEAP_BLOCK_H
#define RINGFENCE_HEAP_BLOCK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/compiler.h"
#include "mem/span.h"

typedef struct rfi_block {
    struct rfi_block *next;
    const rfi_span_t *key;
} rfi_block_t;

/* Do two addresses lie in the same stretch of 2^shift bytes? Links are
 * checked with this, so that a link that somebody overwrote leads at most
 * to the same span. */
static RFI_ALWAYS_INLINE bool
rfi_block_is_near(const void *a, const void *b, unsigned shift)
{
    return (((uintptr_t)a ^ (uintptr_t)b) >> shift) == 0;
}

#endif
