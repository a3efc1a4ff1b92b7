/* SPDX-License-Identifier: MIT
 *
 * From a pointer that a user gave us to the block it is, or to nothing.
 */
#ifndef RINGFENCE_FRONT_FIND_H
#define RINGFENCE_FRONT_FIND_H

#include <stdbool.h>

#include "heap/size_class.h"
#include "heap/span_count.h"
#include "mem/directory.h"
#include "mem/span.h"

/* Is the pointer the start of a block that has been cut off this small
 * span? Whether the block is live is not looked at. */
static inline bool
rfi_find_is_small_block(const rfi_span_t *span, const void *pointer)
{
    const char *start = rfi_directory_address(span);
    size_t offset = (size_t)((const char *)pointer - start);

    return rfi_size_class_is_start(span->start_magic, (uint32_t)offset) &&
           offset >= (size_t)span->colour * span->block_size &&
           offset < (size_t)rfi_span_carved(span) * span->block_size;
}

/* The head of the span whose block starts at the pointer, or NULL. The kind
 * is SMALL, LARGE, HUGE or EMERGENCY. */
static inline rfi_span_t *
rfi_find_block(const void *pointer)
{
    rfi_span_t *span = rfi_directory_find_head(pointer);

    if (span == NULL) {
        return NULL;
    }
    switch ((rfi_span_kind_t)span->kind) {
    case RFI_SPAN_SMALL:
        return rfi_find_is_small_block(span, pointer) ? span : NULL;
    case RFI_SPAN_LARGE:
    case RFI_SPAN_HUGE:
        return pointer == rfi_directory_address(span) ? span : NULL;
    case RFI_SPAN_EMERGENCY:
        return span;
    case RFI_SPAN_NONE:
    case RFI_SPAN_SECONDARY:
    case RFI_SPAN_CACHED:
        break;
    }
    return NULL;
}

#endif
