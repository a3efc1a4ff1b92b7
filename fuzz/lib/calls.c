/* SPDX-License-Identifier: MIT
 *
 * See calls.h.
 */
#include "calls.h"

#include <errno.h>
#include <stdatomic.h>
#include <string.h>

#include "base/bits.h"
#include "check.h"
#include "core/config.h"
#include "os/fail.h"
#include "pattern.h"
#include "ringfence/alloc.h"

/* A value of errno that no function sets. */
#define UNTOUCHED 4711

/* Larger alignments than this may be refused. */
#define ALIGN_MAX ((size_t)1 << 21)

/* Requests up to this size and alignment have no excuse. */
#define SURE_BYTES ((size_t)1 << 30)

static _Atomic(bool) kernel_fails;

void
calls_fail_kernel(uint64_t first, uint64_t count)
{
    atomic_store_explicit(&kernel_fails, true, memory_order_relaxed);
    rfi_fail_arm(first, count);
}

void
calls_heal_kernel(void)
{
    rfi_fail_arm(0, 0);
    atomic_store_explicit(&kernel_fails, false, memory_order_relaxed);
}

/* The error with which an allocation must fail; 0 when it need not. */
static int
required_error(const op_t *op)
{
    bool aligned =
        op->kind == OP_ALIGNED_ALLOC || op->kind == OP_POSIX_MEMALIGN;

    if (aligned && (!rfi_is_power_of_two(op->align) ||
                    (op->kind == OP_POSIX_MEMALIGN && op->align % 8 != 0))) {
        return EINVAL;
    }
    return ops_bytes(op) > SURE_BYTES ? ENOMEM : 0;
}

static void
check_failure(const op_t *op, int error)
{
    int required = required_error(op);
    bool excused = atomic_load_explicit(&kernel_fails, memory_order_relaxed) ||
                   (op->align > ALIGN_MAX && op->kind >= OP_ALIGNED_ALLOC &&
                    op->kind <= OP_POSIX_MEMALIGN);

    check(required != 0 || excused,
          "operation %d of %zu bytes, alignment %zu, failed", op->kind,
          ops_bytes(op), op->align);
    check(error == ENOMEM || error == EINVAL, "errno is %d", error);
    check(required == 0 || error == required || excused, "errno is %d, not %d",
          error, required);
}

static void *
posix_memalign_as_errno(size_t align, size_t size)
{
    void *const before = &errno;
    void *block = before;
    int error = rf_posix_memalign(&block, align, size);

    check(errno == UNTOUCHED, "posix_memalign set errno to %d", errno);
    if (error != 0) {
        check(block == before, "posix_memalign failed and wrote a result");
        errno = error;
        return NULL;
    }
    return block;
}

static void *
call(const op_t *op)
{
    errno = UNTOUCHED;
    switch (op->kind) {
    case OP_CALLOC:
        return rf_calloc(op->count, op->size);
    case OP_REALLOC_NULL:
        return rf_realloc(NULL, op->size);
    case OP_ALIGNED_ALLOC:
        return rf_aligned_alloc(op->align, op->size);
    case OP_MEMALIGN:
        return rf_memalign(op->align, op->size);
    case OP_POSIX_MEMALIGN:
        return posix_memalign_as_errno(op->align, op->size);
    default:
        return rf_malloc(op->size);
    }
}

/* What a returned block must be aligned to. */
static size_t
promised_align(const op_t *op)
{
    switch (op->kind) {
    case OP_ALIGNED_ALLOC:
    case OP_POSIX_MEMALIGN:
        return op->align;
    case OP_MEMALIGN:
        return rfi_is_power_of_two(op->align) || op->align == 0
                   ? op->align
                   : (size_t)2 << rfi_log2_floor(op->align);
    default:
        return 0;
    }
}

bool
calls_alloc(const op_t *op, block_t *block)
{
    size_t bytes = op->kind == OP_CALLOC ? ops_bytes(op) : op->size;
    void *start = call(op);

    if (start == NULL) {
        check_failure(op, errno);
        return false;
    }
    check(errno == UNTOUCHED, "success set errno to %d", errno);
    check(required_error(op) == 0,
          "operation %d of %zu bytes, alignment %zu, succeeded", op->kind,
          bytes, op->align);
    if (op->kind == OP_CALLOC) {
        size_t dirty = pattern_find_nonzero(start, bytes);

        check(dirty == PATTERN_NOWHERE,
              "calloc of %zu bytes: byte %zu is not zero", bytes, dirty);
    }
    block_begin(block, start, bytes, promised_align(op));
    return true;
}

bool
calls_resize(const op_t *op, block_t *block)
{
    size_t bytes = ops_bytes(op);

    block_check(block);
    errno = UNTOUCHED;
    void *moved = op->kind == OP_REALLOCARRAY
                      ? rf_reallocarray(block->start, op->count, op->size)
                      : rf_realloc(block->start, op->size);

    if (bytes == 0) {
        check(moved == NULL, "realloc to 0 bytes returned a block");
        return false;
    }
    if (moved == NULL) {
        check_failure(op, errno);
        block_check(block);
        return true;
    }
    check(errno == UNTOUCHED, "success set errno to %d", errno);
    check(required_error(op) == 0, "realloc to %zu bytes succeeded", bytes);
    block_check_moved(block, moved, bytes);
    block_begin(block, moved, bytes, 0);
    return true;
}

void
calls_free(const op_t *op, const block_t *block)
{
    block_check(block);
    errno = UNTOUCHED;
    if (op->kind != OP_FREE_SIZED) {
        rf_free(block->start);
    } else if (block->align != 0) {
        rf_free_aligned_sized(block->start, block->align, block->size);
    } else {
        rf_free_sized(block->start, block->size);
    }
    check(errno == UNTOUCHED, "free set errno to %d", errno);
}

void
calls_trim(const op_t *op)
{
    int trimmed = rf_trim(op->extra % 4 == 0 ? op->size : 0);

    check(trimmed == 0 || trimmed == 1, "trim returned %d", trimmed);
}

void
calls_set_decay(unsigned choice)
{
    static const int64_t choices[] = {-1, 0, 0, 1, 10, 500};

    atomic_store_explicit(
        &rfi_config.dirty_decay_ms,
        choices[choice % (sizeof(choices) / sizeof(*choices))],
        memory_order_relaxed);
}
