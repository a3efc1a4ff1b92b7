/* SPDX-License-Identifier: MIT
 *
 * Two to four threads allocate, hand blocks to each other, free what others
 * have allocated, end and are replaced. The input is a sequence of rounds:
 *
 *   stepped     the operations are done one by one, each by its thread; the
 *               interleaving is the input's, and the same in every run
 *   concurrent  each thread does its operations of the round at its own pace
 *
 * Contents tell whether two threads have got the same memory. Between rounds
 * all threads rest, and the heaps are audited. At the end every block is
 * freed, and all memory must be back.
 *
 * Control bytes, from the end: decay at the start; number of threads; how
 * the first round runs; who frees at the end.
 */
#include <stdatomic.h>
#include <stdint.h>

#include "calls.h"
#include "check.h"
#include "hands.h"
#include "heaps.h"
#include "input.h"
#include "ops.h"
#include "ringfence/alloc.h"
#include "shadow.h"
#include "target.h"
#include "workers.h"

#define MIB ((size_t)1 << 20)
#define BYTES_ALLOWED (96 * MIB)
#define BURST_BYTES MIB
#define ROUND_OPERATIONS 64u
#define OPERATIONS_MAX 400u

/* The operations of a round for one worker. */
typedef struct orders {
    op_t ops[ROUND_OPERATIONS];
    unsigned count;
} orders_t;

static hands_t all_hands[WORKERS_MAX] = {
    {.lock = PTHREAD_MUTEX_INITIALIZER},
    {.lock = PTHREAD_MUTEX_INITIALIZER},
    {.lock = PTHREAD_MUTEX_INITIALIZER},
    {.lock = PTHREAD_MUTEX_INITIALIZER},
};
static orders_t all_orders[WORKERS_MAX];
static unsigned worker_count;
static bool is_stepped;
static unsigned free_shift; /* whose blocks a worker frees at the end */
static _Atomic(size_t) live_bytes;
static shadow_t shadow; /* at the end, to look for overlaps */

/* ---- What workers do -------------------------------------------------- */

static void
count_bytes(size_t more, size_t less)
{
    atomic_fetch_add_explicit(&live_bytes, more - less, memory_order_relaxed);
}

static bool
is_too_much(const hands_t *hands, const op_t *op)
{
    size_t bytes = ops_bytes(op);
    size_t live = atomic_load_explicit(&live_bytes, memory_order_relaxed);

    return hands_are_full(hands) ||
           (bytes < MIB * 1024 && live + bytes > BYTES_ALLOWED);
}

static void
alloc(hands_t *hands, const op_t *op)
{
    block_t block;

    if (!is_too_much(hands, op) && calls_alloc(op, &block)) {
        count_bytes(block.usable, 0);
        hands_add(hands, &block);
    }
}

static void
burst(hands_t *hands, const op_t *op)
{
    op_t one = *op;

    one.kind = OP_MALLOC;
    one.count = 1;
    for (size_t i = 0; i < op->count && i * op->size < BURST_BYTES; i++) {
        alloc(hands, &one);
    }
}

static void
release_block(const op_t *op, const block_t *block)
{
    count_bytes(0, block->usable);
    calls_free(op, block);
}

static void
release(hands_t *hands, const op_t *op)
{
    block_t *block = hands_pick(hands, op->pick);

    if (block != NULL) {
        release_block(op, block);
        hands_drop(hands, block);
    }
}

static void
free_many(hands_t *hands, const op_t *op)
{
    for (size_t i = 0; i < op->count; i++) {
        release(hands, op);
    }
}

static void
resize(hands_t *hands, const op_t *op)
{
    block_t *block = hands_pick(hands, op->pick);

    if (block == NULL || is_too_much(hands, op)) {
        return;
    }
    size_t before = block->usable;

    if (calls_resize(op, block)) {
        count_bytes(block->usable, before);
    } else {
        count_bytes(0, before);
        hands_drop(hands, block);
    }
}

/* Up to `count` blocks go to another worker; what its inbox cannot take stays
 * here. */
static void
give(hands_t *hands, const op_t *op)
{
    hands_t *other = &all_hands[op->extra % worker_count];
    unsigned count = 1 + op->extra / 4u;

    while (count-- != 0) {
        block_t *block = hands_pick(hands, op->pick);

        if (block == NULL || !hands_post(other, block)) {
            return;
        }
        hands_drop(hands, block);
    }
}

/* Keeps what others have sent, or frees it at once. */
static void
receive(hands_t *hands, const op_t *op)
{
    block_t block;

    while (!hands_are_full(hands) && hands_receive(hands, &block)) {
        block_check(&block);
        if (op->extra % 2 == 0) {
            hands_add(hands, &block);
        } else {
            release_block(op, &block);
        }
    }
}

static void
examine(hands_t *hands, const op_t *op)
{
    const block_t *block = hands_pick(hands, op->pick);

    if (block != NULL) {
        block_check(block);
    }
}

static void
trim(hands_t *hands, const op_t *op)
{
    (void)hands;
    calls_trim(op);
}

static void
set_decay(hands_t *hands, const op_t *op)
{
    (void)hands;
    calls_set_decay(op->extra);
}

static void
fail_kernel(hands_t *hands, const op_t *op)
{
    (void)hands;
    calls_fail_kernel(1 + op->extra % 8u, 1 + op->pick % 4u);
}

/* Kinds without an action here are the conductor's. */
static void (*const actions[OP_KINDS])(hands_t *hands, const op_t *op) = {
    [OP_MALLOC] = alloc,        [OP_CALLOC] = alloc,
    [OP_REALLOC_NULL] = alloc,  [OP_ALIGNED_ALLOC] = alloc,
    [OP_MEMALIGN] = alloc,      [OP_POSIX_MEMALIGN] = alloc,
    [OP_REALLOC] = resize,      [OP_REALLOCARRAY] = resize,
    [OP_FREE] = release,        [OP_FREE_SIZED] = release,
    [OP_CHECK] = examine,       [OP_BURST] = burst,
    [OP_FREE_MANY] = free_many, [OP_TRIM] = trim,
    [OP_SET_DECAY] = set_decay, [OP_FAIL] = fail_kernel,
    [OP_GIVE] = give,           [OP_RECEIVE] = receive,
};

static const uint8_t kinds[] = {
    OP_MALLOC,     OP_MALLOC,       OP_MALLOC,        OP_CALLOC,
    OP_CALLOC,     OP_REALLOC_NULL, OP_ALIGNED_ALLOC, OP_MEMALIGN,
    OP_REALLOC,    OP_REALLOC,      OP_REALLOCARRAY,  OP_FREE,
    OP_FREE,       OP_FREE,         OP_FREE_SIZED,    OP_BURST,
    OP_BURST,      OP_BURST,        OP_FREE_MANY,     OP_FREE_MANY,
    OP_FREE_MANY,  OP_GIVE,         OP_GIVE,          OP_GIVE,
    OP_GIVE,       OP_RECEIVE,      OP_RECEIVE,       OP_RECEIVE,
    OP_CHECK,      OP_TRIM,         OP_SET_DECAY,     OP_FAIL,
    OP_END_THREAD, OP_END_THREAD,   OP_END_ROUND,     OP_END_ROUND,
};
static const op_menu_t menu = {kinds, sizeof(kinds)};

static void
follow_orders(unsigned worker)
{
    orders_t *orders = &all_orders[worker];

    for (unsigned i = 0; i < orders->count; i++) {
        const op_t *op = &orders->ops[i];

        actions[op->kind](&all_hands[worker], op);
    }
    orders->count = 0;
}

static void
free_everything(unsigned worker)
{
    const op_t op = {.kind = OP_FREE, .extra = 1};
    hands_t *hands = &all_hands[(worker + free_shift) % worker_count];

    while (hands->count != 0) {
        release(hands, &op);
    }
    receive(hands, &op);
}

static void
trim_everything(unsigned worker)
{
    (void)worker;
    rf_trim(0);
}

/* ---- What the conductor does ------------------------------------------ */

static void
tell_all(worker_job_t job)
{
    for (unsigned worker = 0; worker < worker_count; worker++) {
        workers_tell(worker, job);
    }
    for (unsigned worker = 0; worker < worker_count; worker++) {
        workers_wait(worker);
    }
}

/* All memory is at rest: may be called between jobs. */
static void
end_round(void)
{
    tell_all(follow_orders);
    calls_heal_kernel();
    heaps_audit();
}

static void
conduct(const op_t *op)
{
    unsigned worker = op->worker % worker_count;
    orders_t *orders = &all_orders[worker];

    if (actions[op->kind] == NULL) {
        end_round();
        if (op->kind == OP_END_THREAD) {
            workers_end(worker);
        } else {
            is_stepped = op->extra % 2 != 0;
        }
        return;
    }
    orders->ops[orders->count++] = *op;
    if (is_stepped) {
        workers_tell(worker, follow_orders);
        workers_wait(worker);
    } else if (orders->count == ROUND_OPERATIONS) {
        end_round();
    }
}

static void
check_overlaps(void)
{
    shadow_reset(&shadow);
    for (unsigned worker = 0; worker < worker_count; worker++) {
        const hands_t *hands = &all_hands[worker];

        for (uint32_t i = 0; i < hands->count; i++) {
            shadow_add(&shadow, &hands->blocks[i]);
        }
        for (uint32_t i = 0; i < hands->inbox_count; i++) {
            shadow_add(&shadow, &hands->inbox[i]);
        }
    }
}

/* Trims twice: a thread's first trim hands over what it has freed for others,
 * whose second trim then finds it. */
static void
finish(void)
{
    end_round();
    check_overlaps();
    tell_all(free_everything);
    heaps_audit();
    tell_all(trim_everything);
    tell_all(trim_everything);
    rf_trim(0);
    heaps_audit();
    heaps_check_empty();
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    input_t input;
    op_t op;

    heaps_start();
    input_start(&input, data, size);
    calls_set_decay(input_control(&input));
    worker_count = 2 + input_control(&input) % (WORKERS_MAX - 1);
    is_stepped = input_control(&input) % 2 != 0;
    free_shift = input_control(&input);
    for (unsigned i = 0; i < OPERATIONS_MAX && ops_next(&input, &menu, &op);
         i++) {
        conduct(&op);
    }
    finish();
    return 0;
}
