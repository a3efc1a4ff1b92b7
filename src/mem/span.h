/* SPDX-License-Identifier: MIT
 *
 * The span descriptor: one 128-byte record per granule (64 KiB) of address
 * space that we own, kept out of line in the directory's leaves. A span is a
 * run of granules that holds blocks of one size class, or one large block;
 * the descriptor of its first granule ("head") describes it, those of the
 * others only say how far away the head is.
 *
 *   line 0   what malloc and free of the owner thread touch
 *   line 1   what other threads touch, and what is rarely used
 *
 * A descriptor that is all zero stands for memory that is not ours or is
 * free: its owner word is NULL, which is no thread's heap, so that free's one
 * comparison also proves that the pointer is ours.
 */
#ifndef RINGFENCE_MEM_SPAN_H
#define RINGFENCE_MEM_SPAN_H

#include <assert.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#include "base/compiler.h"

#define RFI_GRANULE_SHIFT 16
#define RFI_GRANULE_SIZE ((size_t)1 << RFI_GRANULE_SHIFT)
#define RFI_CHUNK_SHIFT 21
#define RFI_CHUNK_SIZE ((size_t)1 << RFI_CHUNK_SHIFT)
#define RFI_GRANULES_PER_CHUNK (RFI_CHUNK_SIZE / RFI_GRANULE_SIZE)

struct rfi_heap;

typedef enum rfi_span_kind {
    RFI_SPAN_NONE = 0,  /* free, or not ours; the whole descriptor is zero */
    RFI_SPAN_SMALL,     /* blocks of one class, one granule or several */
    RFI_SPAN_LARGE,     /* one block in granules of a segment */
    RFI_SPAN_HUGE,      /* one block with its own mapping */
    RFI_SPAN_EMERGENCY, /* blocks served while the heap was busy */
    RFI_SPAN_SECONDARY, /* not the first granule of its span */
    RFI_SPAN_CACHED,    /* empty, kept by a heap for its next small span */
} rfi_span_kind_t;

typedef enum rfi_span_flags {
    RFI_SPAN_ZERO = 1, /* content known to be zero beyond `carved` */
} rfi_span_flags_t;

typedef struct rfi_span {
    /* Owner thread; `owner_fast` is read by every freeing thread. */
    _Atomic(struct rfi_heap *) owner_fast; /* NULL where free must go slow */
    void *local_free;     /* blocks freed by the owner since the last event */
    uint64_t start_magic; /* (offset * magic) < magic <=> block start */
    uint32_t needed;      /* owner's frees until the next event */
    uint32_t armed;       /* what `needed` was set to at the last event */
    _Atomic(uint32_t) out; /* cut blocks not on local_free, at that event */
    uint32_t block_size;  /* bytes; small spans */
    _Atomic(uint16_t) carved; /* blocks cut so far, including the colour */
    uint16_t capacity;    /* blocks that fit, including the colour */
    uint8_t size_class;
    uint8_t kind;  /* rfi_span_kind_t */
    uint8_t flags; /* rfi_span_flags_t */
    uint8_t state; /* heap/span_state.h: current, available, full */
    uint32_t granules; /* length of the span; head only */
    uint32_t head_distance; /* SECONDARY: granules back to the head */

    /* Any thread. */
    RFI_ALIGNED(64)
    _Atomic(uint64_t) shared; /* blocks freed by others: heap/shared_list.h */
    _Atomic(struct rfi_heap *) owner;
    struct rfi_span *next; /* list links: owner's list, or under its lock */
    struct rfi_span *previous;
    _Atomic(size_t) requested; /* large, huge: bytes asked for, page-rounded;
                                  whoever takes it to 0 has freed the block */
    void *mapping;     /* huge: start of the mapping */
    size_t mapping_size; /* huge: its length in bytes */
    uint32_t colour;   /* blocks skipped at the start */
    uint32_t number;   /* heads: address of the span >> RFI_GRANULE_SHIFT */
} rfi_span_t;

static_assert(sizeof(rfi_span_t) == 128, "two cache lines per granule");
static_assert(offsetof(rfi_span_t, shared) == 64, "owner and others apart");

#endif
