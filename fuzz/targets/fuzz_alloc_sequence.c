/* SPDX-License-Identifier: MIT
 *
 * One thread calls everything that include/ringfence/alloc.h declares, in the
 * order that the input says; a model heap knows what must hold. Now and then
 * the kernel refuses memory, the decay of freed pages changes, or the heap is
 * audited. At the end every block is freed, and all memory must be back.
 *
 * Control bytes, from the end: decay at the start; operations between two
 * audits; live MiB allowed.
 */
#include <stdint.h>

#include "calls.h"
#include "check.h"
#include "heaps.h"
#include "input.h"
#include "ops.h"
#include "ringfence/alloc.h"
#include "shadow.h"
#include "target.h"

#define MIB ((size_t)1 << 20)

/* A run is short; what a longer one finds, a splice of two runs finds too. */
#define OPERATIONS_MAX 500u

/* Enough for several spans of any class. */
#define BURST_BYTES MIB

/* For how many operations after OP_FAIL the kernel may refuse memory. */
#define FAILING_OPERATIONS 8u

static shadow_t shadow;
static size_t bytes_allowed;
static unsigned failing; /* operations until the kernel recovers */

/* Would the blocks of the operation overstep what a run may hold? Absurd
 * requests pass: they are to fail. */
static bool
is_too_much(const op_t *op, size_t blocks)
{
    size_t bytes = ops_bytes(op);

    return shadow.count + blocks > SHADOW_SLOTS ||
           (bytes < MIB * 1024 && shadow.bytes + bytes > bytes_allowed);
}

static void
alloc(const op_t *op)
{
    block_t block;

    if (!is_too_much(op, 1) && calls_alloc(op, &block)) {
        shadow_add(&shadow, &block);
    }
}

static void
burst(const op_t *op)
{
    op_t one = *op;

    one.kind = OP_MALLOC;
    one.count = 1;
    for (size_t i = 0; i < op->count && i * op->size < BURST_BYTES; i++) {
        alloc(&one);
    }
}

static void
release_picked(const op_t *op, uint32_t pick)
{
    block_t *block = shadow_pick(&shadow, pick);

    if (block != NULL) {
        calls_free(op, block);
        shadow_remove(&shadow, block);
    }
}

static void
release(const op_t *op)
{
    release_picked(op, op->pick);
}

/* Upward or downward, densely or with gaps. */
static void
free_many(const op_t *op)
{
    uint32_t pick = op->pick + SHADOW_SLOTS * 8;
    uint32_t stride = 1 + op->worker % 4;

    for (size_t i = 0; i < op->count; i++) {
        release_picked(op, pick);
        pick = op->worker & 4 ? pick - stride : pick + stride;
    }
}

static void
resize(const op_t *op)
{
    block_t *block = shadow_pick(&shadow, op->pick);

    if (block == NULL || is_too_much(op, 0)) {
        return;
    }
    block_t resized = *block;
    bool live = calls_resize(op, &resized);

    shadow_remove(&shadow, block);
    if (live) {
        shadow_add(&shadow, &resized);
    }
}

static void
examine(const op_t *op)
{
    const block_t *block = shadow_pick(&shadow, op->pick);

    if (block != NULL) {
        block_check(block);
    }
}

static void
audit(const op_t *op)
{
    (void)op;
    heaps_audit();
}

static void
set_decay(const op_t *op)
{
    calls_set_decay(op->extra);
}

static void
fail_kernel(const op_t *op)
{
    calls_fail_kernel(1 + op->extra % 8u, 1 + op->pick % 8u);
    failing = FAILING_OPERATIONS;
}

static void (*const actions[OP_KINDS])(const op_t *op) = {
    [OP_MALLOC] = alloc,        [OP_CALLOC] = alloc,
    [OP_REALLOC_NULL] = alloc,  [OP_ALIGNED_ALLOC] = alloc,
    [OP_MEMALIGN] = alloc,      [OP_POSIX_MEMALIGN] = alloc,
    [OP_REALLOC] = resize,      [OP_REALLOCARRAY] = resize,
    [OP_FREE] = release,        [OP_FREE_SIZED] = release,
    [OP_CHECK] = examine,       [OP_BURST] = burst,
    [OP_FREE_MANY] = free_many, [OP_TRIM] = calls_trim,
    [OP_AUDIT] = audit,         [OP_SET_DECAY] = set_decay,
    [OP_FAIL] = fail_kernel,
};

static const uint8_t kinds[] = {
    OP_MALLOC,         OP_MALLOC,       OP_MALLOC,        OP_CALLOC,
    OP_CALLOC,         OP_REALLOC_NULL, OP_ALIGNED_ALLOC, OP_MEMALIGN,
    OP_POSIX_MEMALIGN, OP_REALLOC,      OP_REALLOC,       OP_REALLOC,
    OP_REALLOCARRAY,   OP_FREE,         OP_FREE,          OP_FREE,
    OP_FREE,           OP_FREE_SIZED,   OP_BURST,         OP_BURST,
    OP_FREE_MANY,      OP_FREE_MANY,    OP_FREE_MANY,     OP_CHECK,
    OP_TRIM,           OP_AUDIT,        OP_SET_DECAY,     OP_FAIL,
};
static const op_menu_t menu = {kinds, sizeof(kinds)};

/* Frees everything, oldest slot first, and trims. */
static void
finish(void)
{
    const op_t op = {.kind = OP_FREE};

    failing = 0;
    calls_heal_kernel();
    for (uint32_t pick = 0; shadow.count != 0; pick++) {
        release_picked(&op, pick);
    }
    heaps_audit();
    rf_trim(0);
    heaps_audit();
    heaps_check_empty();
}

static void
perform(const op_t *op)
{
    if (failing != 0 && --failing == 0) {
        calls_heal_kernel();
    }
    actions[op->kind](op);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    input_t input;
    op_t op;

    heaps_start();
    input_start(&input, data, size);
    calls_set_decay(input_control(&input));
    unsigned audit_every = 16u + input_control(&input);

    bytes_allowed = (16u + input_control(&input) % 241u) * MIB;
    shadow_reset(&shadow);
    for (unsigned i = 1; i <= OPERATIONS_MAX; i++) {
        if (!ops_next(&input, &menu, &op)) {
            break;
        }
        perform(&op);
        if (i % audit_every == 0) {
            heaps_audit();
        }
    }
    finish();
    return 0;
}
