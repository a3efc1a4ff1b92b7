/* SPDX-License-Identifier: MIT
 *
 * realloc, and the size that a block really has.
 */
#include <string.h>

#include "front/emergency.h"
#include "front/find.h"
#include "front/front.h"
#include "front/slow.h"
#include "front/unowned.h"
#include "mem/large.h"

static size_t
usable_of(const rfi_span_t *span, const void *pointer)
{
    switch ((rfi_span_kind_t)span->kind) {
    case RFI_SPAN_SMALL:
        return span->block_size;
    case RFI_SPAN_LARGE:
    case RFI_SPAN_HUGE:
        return rfi_large_usable(span);
    case RFI_SPAN_EMERGENCY:
        return rfi_emergency_size(pointer);
    case RFI_SPAN_NONE:
    case RFI_SPAN_SECONDARY:
    case RFI_SPAN_CACHED:
        break;
    }
    return 0;
}

static void *
move(rfi_heap_t *heap, void *pointer, size_t usable, size_t size)
{
    void *block = rfi_front_alloc(heap, size);

    if (block != NULL) {
        memcpy(block, pointer, rfi_min(usable, size));
        rfi_front_free(heap, pointer, "realloc");
    }
    return block;
}

/* Room for the new size, and not so much that keeping it wastes half. */
static bool
fits_in_place(size_t usable, size_t size)
{
    return size <= usable && size >= usable / 2;
}

static void *
resize_large(rfi_heap_t *heap, rfi_span_t *span, size_t size)
{
    if (!rfi_heap_enter(heap)) {
        return NULL;
    }
    void *block = rfi_large_resize(span, size);

    rfi_slow_leave(heap);
    return block;
}

void *
rfi_front_resize(rfi_heap_t *heap, void *pointer, size_t size)
{
    rfi_span_t *span = rfi_find_block(pointer);

    if (RFI_UNLIKELY(span == NULL)) {
        return rfi_unowned_resize(pointer, size);
    }
    if (RFI_UNLIKELY(size > RFI_REQUEST_MAX)) {
        return NULL;
    }
    size_t usable = usable_of(span, pointer);

    if ((span->kind == RFI_SPAN_LARGE || span->kind == RFI_SPAN_HUGE) &&
        size > RFI_CLASS_SIZE_MAX) {
        void *block = resize_large(heap, span, size);

        return block != NULL ? block : move(heap, pointer, usable, size);
    }
    if (span->kind == RFI_SPAN_SMALL && fits_in_place(usable, size)) {
        return pointer;
    }
    return move(heap, pointer, usable, size);
}

size_t
rfi_front_usable(void *pointer)
{
    const rfi_span_t *span = rfi_find_block(pointer);

    if (RFI_UNLIKELY(span == NULL)) {
        return rfi_unowned_usable(pointer);
    }
    return usable_of(span, pointer);
}
