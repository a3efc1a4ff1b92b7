/* SPDX-License-Identifier: MIT
 *
 * See block.h.
 */
#include "block.h"

#include <stdatomic.h>

#include "check.h"
#include "pattern.h"
#include "ringfence/alloc.h"

#define MALLOC_ALIGN ((size_t)16)

static uint64_t
next_seed(void)
{
    static _Atomic(uint64_t) seeds = 1;

    return atomic_fetch_add_explicit(&seeds, 1, memory_order_relaxed) *
           0xd1342543de82ef95u;
}

void
block_begin(block_t *block, void *start, size_t size, size_t align)
{
    size_t wanted = align > MALLOC_ALIGN ? align : MALLOC_ALIGN;

    check((uintptr_t)start % wanted == 0,
          "block %p of %zu bytes is not aligned to %zu", start, size, wanted);
    block->start = start;
    block->size = size;
    block->align = align;
    block->usable = rf_usable_size(start);
    block->seed = next_seed();
    check(block->usable >= size, "block %p has %zu usable bytes of %zu", start,
          block->usable, size);
    block->filled = (block->seed >> 63) != 0 ? block->usable : size;
    pattern_fill(block->start, block->filled, block->seed);
}

void
block_check(const block_t *block)
{
    size_t usable = rf_usable_size(block->start);
    size_t wrong = pattern_find_difference(block->start, block->filled,
                                           block->seed, block->filled);

    check(usable == block->usable, "usable size of %p was %zu and is %zu",
          (void *)block->start, block->usable, usable);
    check(wrong == PATTERN_NOWHERE, "block %p of %zu bytes was changed at %zu",
          (void *)block->start, block->size, wrong);
}

void
block_check_moved(const block_t *block, const void *moved, size_t size)
{
    size_t wrong =
        pattern_find_difference(moved, block->filled, block->seed, size);

    check(wrong == PATTERN_NOWHERE,
          "realloc from %zu to %zu bytes lost byte %zu", block->size, size,
          wrong);
}
