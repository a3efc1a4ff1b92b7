/* SPDX-License-Identifier: MIT
 *
 * The state is one word, {bytes used: 32, live blocks: 32}, changed by
 * compare-and-swap only: a signal handler may interrupt anything here.
 */
#include "front/emergency.h"

#include <stdatomic.h>
#include <stdint.h>
#include <string.h>

#include "base/bits.h"
#include "mem/directory.h"
#include "os/page.h"

#define ARENA_BYTES RFI_CHUNK_SIZE
#define HEADER_BYTES 16u
#define HEADER_MAGIC ((uint64_t)0x72666520656d6572u)

typedef struct header {
    _Atomic(uint64_t) magic; /* HEADER_MAGIC while the block is live */
    uint64_t size;
} header_t;

static char *arena;
static _Atomic(uint64_t) usage;

static uint64_t
pack(uint64_t used, uint64_t live)
{
    return used << 32 | live;
}

bool
rfi_emergency_start(void)
{
    void *start;

    if (rfi_page_map(&start, ARENA_BYTES, RFI_GRANULE_SIZE,
                     RFI_PAGE_READ_WRITE) != 0) {
        return false;
    }
    if (rfi_directory_cover(start, ARENA_BYTES) != 0) {
        rfi_page_unmap(start, ARENA_BYTES);
        return false;
    }
    arena = start;
    uint32_t granules = (uint32_t)(ARENA_BYTES / RFI_GRANULE_SIZE);

    rfi_directory_mark_head(arena, RFI_SPAN_EMERGENCY, granules);
    rfi_directory_mark_secondary(arena, 1, granules);
    return true;
}

void *
rfi_emergency_alloc(size_t size, size_t align)
{
    align = rfi_max(align, HEADER_BYTES);
    if (arena == NULL || size > ARENA_BYTES || align > ARENA_BYTES) {
        return NULL;
    }
    uint64_t before = atomic_load_explicit(&usage, memory_order_relaxed);
    uintptr_t start;
    size_t end;

    do {
        start = rfi_align_up(
            (uintptr_t)arena + (before >> 32) + HEADER_BYTES, align);
        end = rfi_align_up(start - (uintptr_t)arena + size, HEADER_BYTES);
        if (end > ARENA_BYTES) {
            return NULL;
        }
        /* Acquire: pairs with the release of the frees that made room. */
    } while (!atomic_compare_exchange_weak_explicit(
        &usage, &before, pack(end, (before & UINT32_MAX) + 1),
        memory_order_acq_rel, memory_order_relaxed));
    header_t *header = (header_t *)(start - HEADER_BYTES);

    header->size = size;
    atomic_store_explicit(&header->magic, HEADER_MAGIC, memory_order_relaxed);
    return memset((void *)start, 0, size);
}

static header_t *
header_of(const void *block)
{
    uintptr_t address = (uintptr_t)block;

    if (arena == NULL || address % HEADER_BYTES != 0 ||
        address < (uintptr_t)arena + HEADER_BYTES ||
        address >= (uintptr_t)arena + ARENA_BYTES) {
        return NULL;
    }
    return (header_t *)(address - HEADER_BYTES);
}

bool
rfi_emergency_free(void *block)
{
    header_t *header = header_of(block);
    uint64_t magic = HEADER_MAGIC;

    if (header == NULL || !atomic_compare_exchange_strong_explicit(
                              &header->magic, &magic, 0, memory_order_relaxed,
                              memory_order_relaxed)) {
        return false;
    }
    uint64_t before = atomic_load_explicit(&usage, memory_order_relaxed);
    uint64_t after;

    do {
        uint64_t live = (before & UINT32_MAX) - 1;

        after = live == 0 ? 0 : pack(before >> 32, live);
        /* Release: our last accesses come before the memory's next use. */
    } while (!atomic_compare_exchange_weak_explicit(
        &usage, &before, after, memory_order_acq_rel, memory_order_relaxed));
    return true;
}

size_t
rfi_emergency_size(const void *block)
{
    const header_t *header = header_of(block);

    if (header == NULL ||
        atomic_load_explicit(&header->magic, memory_order_relaxed) !=
            HEADER_MAGIC) {
        return 0;
    }
    return header->size;
}
