/* SPDX-License-Identifier: MIT
 *
 * See unowned.h. Reached only when free() is about to fail: being slow is
 * fine, touching the memory that the pointer leads to is not.
 */
#include "front/unowned.h"

#include "core/config.h"
#include "heap/size_class.h"
#include "heap/span_count.h"
#include "mem/directory.h"
#include "mem/granule.h"
#include "mem/large.h"

#define KNOB "unowned"

rfi_next_malloc_t (*rfi_find_next_malloc)(void);
const char *(*rfi_name_owner)(const void *pointer);

static rfi_next_malloc_t
next_malloc(void)
{
    if (rfi_find_next_malloc == NULL) {
        return (rfi_next_malloc_t){0};
    }
    return rfi_find_next_malloc();
}

/* A pointer that leads to no block of ours. */
static const char *
reason_for_stranger(const void *pointer)
{
    const char *owner =
        rfi_name_owner != NULL ? rfi_name_owner(pointer) : NULL;

    if (owner != NULL) {
        return owner;
    }
    return rfi_granule_holds(pointer) ? "not allocated, or freed already"
                                      : "no memory of ours";
}

/* A pointer into a small span that is not the start of a live block. */
static void
describe_small(const rfi_span_t *span, const void *pointer,
               rfi_fault_t *fault)
{
    const char *start = rfi_directory_address(span);
    size_t offset = (size_t)((const char *)pointer - start);
    size_t index = offset / span->block_size;

    if (index < span->colour || index >= rfi_span_carved(span)) {
        fault->reason = "never allocated";
        return;
    }
    fault->reason = "inside a block";
    fault->block = start + index * span->block_size;
    fault->block_size = span->block_size;
}

static void
describe(const void *pointer, rfi_fault_t *fault)
{
    const rfi_span_t *span = rfi_directory_find_head(pointer);

    if (span == NULL || span->kind == RFI_SPAN_NONE) {
        span = rfi_huge_find(pointer);
    }
    if (span == NULL) {
        fault->reason = reason_for_stranger(pointer);
        return;
    }
    switch ((rfi_span_kind_t)span->kind) {
    case RFI_SPAN_SMALL:
        describe_small(span, pointer, fault);
        break;
    case RFI_SPAN_LARGE:
    case RFI_SPAN_HUGE:
        fault->reason = "inside a block";
        fault->block = rfi_directory_address(span);
        fault->block_size = rfi_large_usable(span);
        break;
    case RFI_SPAN_CACHED:
        fault->reason = "freed already";
        break;
    case RFI_SPAN_EMERGENCY:
        fault->reason = "no live block of the emergency arena";
        break;
    case RFI_SPAN_NONE:
    case RFI_SPAN_SECONDARY:
        fault->reason = "never allocated";
        break;
    }
}

void
rfi_unowned_report(void *pointer, rfi_fault_kind_t kind,
                   const char *function)
{
    rfi_fault_t fault = {
        .kind = kind,
        .address = pointer,
        .function = function,
        .knob = KNOB,
    };

    describe(pointer, &fault);
    if (rfi_config_get(unowned) == RFI_UNOWNED_IGNORE) {
        return;
    }
    rfi_fault_raise(&fault);
}

void
rfi_unowned_free(void *pointer, const char *function)
{
    if (rfi_config_get(unowned) == RFI_UNOWNED_FORWARD) {
        rfi_next_malloc_t next = next_malloc();

        if (next.free != NULL) {
            next.free(pointer);
            return;
        }
    }
    rfi_unowned_report(pointer, RFI_FAULT_BAD_FREE, function);
}

void *
rfi_unowned_resize(void *pointer, size_t size)
{
    if (rfi_config_get(unowned) == RFI_UNOWNED_FORWARD) {
        rfi_next_malloc_t next = next_malloc();

        if (next.realloc != NULL) {
            return next.realloc(pointer, size);
        }
    }
    rfi_unowned_report(pointer, RFI_FAULT_BAD_REALLOC, "realloc");
    return NULL;
}

size_t
rfi_unowned_usable(void *pointer)
{
    if (rfi_config_get(unowned) == RFI_UNOWNED_FORWARD) {
        rfi_next_malloc_t next = next_malloc();

        if (next.usable_size != NULL) {
            return next.usable_size(pointer);
        }
    }
    rfi_unowned_report(pointer, RFI_FAULT_BAD_USABLE_SIZE,
                       "malloc_usable_size");
    return 0;
}
