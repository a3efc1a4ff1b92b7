/* SPDX-License-Identifier: MIT
 *
 * The slow halves of the entry points: give the thread a heap if it has none,
 * ask the front, and translate to errno.
 */
#include "api/entry.h"

#include <errno.h>

#include "api/lifecycle.h"
#include "base/checked.h"
#include "front/front.h"
#include "heap/heap_pool.h"
#include "mem/granule.h"

static inline rfi_heap_t *
my_heap(void)
{
    rfi_heap_t *heap = rfi_thread_heap;

    if (RFI_UNLIKELY(!rfi_heap_is_attached(heap))) {
        return rfi_lifecycle_attach();
    }
    return heap;
}

static inline void *
finish(void *block)
{
    rfi_lifecycle_operation_done();
    if (RFI_UNLIKELY(block == NULL)) {
        errno = ENOMEM;
    }
    return block;
}

void *
rfi_entry_alloc_quiet(size_t size)
{
    rfi_heap_t *heap = rfi_thread_heap;

    /* Above the table of the fast path, but cached all the same. */
    if (size - (RFI_FAST_SIZE_MAX + 1) <
        RFI_CLASS_SIZE_MAX - RFI_FAST_SIZE_MAX) {
        unsigned shift = size <= RFI_ONE_GRANULE_MAX ? RFI_GRANULE_SHIFT
                                                     : RFI_WIDE_SPAN_SHIFT;
        void *block =
            rfi_fast_pop(heap, rfi_size_class_of_medium(size), shift);

        if (RFI_LIKELY(block != NULL)) {
            return block;
        }
    }
    void *block = rfi_front_alloc(my_heap(), size);

    rfi_lifecycle_operation_done();
    return block;
}

void *
rfi_entry_alloc_slow(size_t size)
{
    void *block = rfi_entry_alloc_quiet(size);

    if (RFI_UNLIKELY(block == NULL)) {
        errno = ENOMEM;
    }
    return block;
}

void
rfi_entry_free_slow(void *pointer)
{
    if (pointer == NULL) {
        return;
    }
    rfi_front_free(my_heap(), pointer, "free");
    rfi_lifecycle_operation_done();
}

void
rfi_entry_free_event(rfi_span_t *span)
{
    rfi_front_free_event(rfi_thread_heap, span);
    rfi_lifecycle_operation_done();
}

void *
rfi_entry_calloc(size_t count, size_t size)
{
    size_t bytes;

    if (RFI_UNLIKELY(!rfi_checked_multiply(count, size, &bytes))) {
        errno = ENOMEM;
        return NULL;
    }
    return finish(rfi_front_alloc_zeroed(my_heap(), bytes));
}

void *
rfi_entry_realloc(void *block, size_t size)
{
    if (block == NULL) {
        return rfi_entry_malloc(size);
    }
    if (size == 0) {
        rfi_entry_free(block);
        return NULL;
    }
    return finish(rfi_front_resize(my_heap(), block, size));
}

void *
rfi_entry_reallocarray(void *block, size_t count, size_t size)
{
    size_t bytes;

    if (RFI_UNLIKELY(!rfi_checked_multiply(count, size, &bytes))) {
        errno = ENOMEM;
        return NULL;
    }
    return rfi_entry_realloc(block, bytes);
}

void *
rfi_entry_aligned_alloc(size_t align, size_t size)
{
    if (!rfi_is_power_of_two(align)) {
        errno = EINVAL;
        return NULL;
    }
    if (align <= RFI_BLOCK_QUANTUM) {
        return rfi_entry_malloc(size);
    }
    return finish(rfi_front_alloc_aligned(my_heap(), size, align));
}

void *
rfi_entry_memalign(size_t align, size_t size)
{
    if (align > (SIZE_MAX >> 1) + 1) {
        errno = EINVAL;
        return NULL;
    }
    if (!rfi_is_power_of_two(align)) {
        align = align == 0 ? 1 : (size_t)2 << rfi_log2_floor(align);
    }
    return rfi_entry_aligned_alloc(align, size);
}

int
rfi_entry_posix_memalign(void **result, size_t align, size_t size)
{
    if (!rfi_is_power_of_two(align) || align % sizeof(void *) != 0) {
        return EINVAL;
    }
    int saved = errno;
    void *block = rfi_entry_aligned_alloc(align, size);

    errno = saved;
    if (block == NULL) {
        return ENOMEM;
    }
    *result = block;
    return 0;
}

size_t
rfi_entry_usable_size(void *block)
{
    if (block == NULL) {
        return 0;
    }
    /* Starts the library, whose options say what a wrong pointer costs. */
    my_heap();
    size_t usable = rfi_front_usable(block);

    rfi_lifecycle_operation_done();
    return usable;
}

int
rfi_entry_trim(size_t keep)
{
    rfi_granule_stats_t stats;

    rfi_granule_stats(&stats);
    if (stats.dirty_bytes < keep && keep != 0) {
        return 0;
    }
    my_heap();
    bool trimmed = rfi_lifecycle_trim();

    rfi_lifecycle_operation_done();
    return trimmed ? 1 : 0;
}
