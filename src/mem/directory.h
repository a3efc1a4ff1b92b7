/* SPDX-License-Identifier: MIT
 *
 * The directory: from any address to the descriptor of its granule, in two
 * loads and without a lock. The root covers every 47-bit (aarch64: 48-bit)
 * address with one pointer per GiB and lives in .bss; a leaf holds the
 * descriptors of one GiB (2 MiB of address space, of which only pages that
 * are used become resident), has no-access pages on both sides and is never
 * unmapped. Leaves appear before the first segment in their GiB is usable.
 *
 *   address  [ root index : p >> 30 | granule : 14 bits | offset : 16 bits ]
 *
 * The function is total: for an address beyond the root or in a GiB without
 * memory of ours it answers NULL, for a granule that is not ours a
 * descriptor that is all zero.
 */
#ifndef RINGFENCE_MEM_DIRECTORY_H
#define RINGFENCE_MEM_DIRECTORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/compiler.h"
#include "mem/span.h"

#if defined(__aarch64__)
#define RFI_ADDRESS_BITS 48
#else
#define RFI_ADDRESS_BITS 47
#endif
#define RFI_LEAF_SHIFT 30
#define RFI_LEAF_GRANULES ((size_t)1 << (RFI_LEAF_SHIFT - RFI_GRANULE_SHIFT))
#define RFI_DESCRIPTOR_SHIFT 7
#define RFI_ROOT_ENTRIES ((size_t)1 << (RFI_ADDRESS_BITS - RFI_LEAF_SHIFT))

_Static_assert(sizeof(rfi_span_t) == 1 << RFI_DESCRIPTOR_SHIFT,
               "the shift is that of a descriptor's size");

/* Entries are written once, with release order that pairs with the
 * consume-by-dependency of rfi_directory_find(). */
extern RFI_HIDDEN _Atomic(rfi_span_t *) rfi_directory_root[RFI_ROOT_ENTRIES];

/* The descriptor of the granule that holds the address, or NULL. */
static RFI_ALWAYS_INLINE rfi_span_t *
rfi_directory_find(const void *address)
{
    uintptr_t number = (uintptr_t)address;
    size_t root_index = number >> RFI_LEAF_SHIFT;
    /* The granule's number times the size of a descriptor, in one shift. */
    size_t scaled = number >> (RFI_GRANULE_SHIFT - RFI_DESCRIPTOR_SHIFT);

    RFI_KEEP(root_index);
    RFI_KEEP(scaled);
    if (RFI_UNLIKELY(root_index >= RFI_ROOT_ENTRIES)) {
        return NULL;
    }
    rfi_span_t *leaf = atomic_load_explicit(&rfi_directory_root[root_index],
                                            memory_order_relaxed);
    if (RFI_UNLIKELY(leaf == NULL)) {
        return NULL;
    }
    scaled &= (RFI_LEAF_GRANULES - 1) << RFI_DESCRIPTOR_SHIFT;
    return (rfi_span_t *)(void *)((char *)leaf + scaled);
}

/* The head descriptor of the span that holds the address, or NULL when the
 * address lies in no span. Interior granules of huge blocks, which have no
 * descriptor, answer NULL: see rfi_huge_find(). */
rfi_span_t *rfi_directory_find_head(const void *address);

/* Address of the first byte of the span that a head descriptor describes. */
static inline void *
rfi_directory_address(const rfi_span_t *head)
{
    return (void *)((uintptr_t)head->number << RFI_GRANULE_SHIFT);
}

/* Makes the all-zero descriptor of the granule at `start` a head. */
rfi_span_t *rfi_directory_mark_head(void *start, rfi_span_kind_t kind,
                                    uint32_t granules);

/* The granules number first ... end - 1 of the span at `start` become, or
 * cease to be, SECONDARY. */
void rfi_directory_mark_secondary(void *start, uint32_t first, uint32_t end);
void rfi_directory_clear_secondary(void *start, uint32_t first, uint32_t end);

/* Makes a head descriptor all zero, owner_fast first, so that a racing free
 * of the owner misses the fast path at once. */
void rfi_directory_clear_head(rfi_span_t *head);

/* Makes sure that leaves exist for [start, start + size). 0 or -errno. */
int rfi_directory_cover(const void *start, size_t size);

/* Calls visit for every head descriptor whose kind is not NONE, in address
 * order. Descriptors may change meanwhile: for statistics and audits, or
 * with the granule lock held by the caller. */
void rfi_directory_walk(void (*visit)(rfi_span_t *span, void *context),
                        void *context);

/* Bytes of leaves mapped so far. */
size_t rfi_directory_mapped(void);

#endif
