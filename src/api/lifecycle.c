/* SPDX-License-Identifier: MIT
 *
 * See lifecycle.h. The library has no constructor: the first slow operation
 * of the process starts it, whoever makes it and however early. While a
 * thread is attaching, its heap is rfi_heap_attaching, so that whatever libc
 * allocates in between is served from the emergency arena.
 */
#include "api/lifecycle.h"

#include "api/instance.h"
#include "api/options.h"
#include "base/compiler.h"
#include "core/config.h"
#include "core/fault.h"
#include "core/lock.h"
#include "core/log.h"
#include "front/emergency.h"
#include "heap/busy.h"
#include "heap/heap_pool.h"
#include "heap/remote.h"
#include "heap/tick.h"
#include "mem/granule.h"
#include "mem/large.h"
#include "mem/meta.h"
#include "os/process.h"
#include "os/thread.h"

/* A thread's exit hook asks to be called again this often, so that the
 * destructors of other keys still run on the fast path. */
#define EXIT_ROUNDS 3

static rfi_lock_t start_lock = RFI_LOCK_INIT(RFI_RANK_LIFECYCLE);
static _Atomic(bool) started;

static RFI_TLS uint8_t exit_rounds; /* EXIT_ROUNDS: the thread has ended */

static void
give_heap_back(void)
{
    rfi_heap_t *heap = rfi_thread_heap;

    if (rfi_heap_is_attached(heap)) {
        rfi_thread_heap = &rfi_heap_attaching;
        rfi_heap_pool_give(heap);
        rfi_thread_heap = &rfi_heap_empty;
    }
}

static void
on_thread_exit(void)
{
    if (exit_rounds + 1 < EXIT_ROUNDS) {
        exit_rounds++;
        rfi_thread_arm_exit();
        return;
    }
    exit_rounds = EXIT_ROUNDS;
    give_heap_back();
}

/* Fork takes every lock in the order of the ranks, so that the child finds
 * all shared structures whole. A fork from a signal handler that interrupted
 * a slow path of this very thread must not wait for its own locks; the
 * child's only thread then continues that slow path. */
static RFI_TLS bool fork_locked;

static void
before_fork(void)
{
    rfi_heap_t *heap = rfi_thread_heap;

    fork_locked = heap == &rfi_heap_empty ||
                  atomic_load_explicit(&heap->busy, memory_order_relaxed) == 0;
    if (fork_locked) {
        rfi_lock_acquire(&start_lock);
        rfi_heap_pool_fork_prepare();
        rfi_huge_fork_prepare();
        rfi_granule_fork_prepare();
        rfi_meta_fork_prepare();
    }
}

static void
after_fork_in_parent(void)
{
    if (fork_locked) {
        rfi_meta_fork_parent();
        rfi_granule_fork_parent();
        rfi_huge_fork_parent();
        rfi_heap_pool_fork_parent();
        rfi_lock_release(&start_lock);
    }
}

static void
after_fork_in_child(void)
{
    if (fork_locked) {
        rfi_lock_forget_held();
        rfi_meta_fork_child();
        rfi_granule_fork_child();
        rfi_huge_fork_child();
        rfi_heap_pool_fork_child(rfi_thread_heap);
        rfi_lock_reset(&start_lock);
    }
}

/* The one line, and what the options say comes after it. */
static void
on_fault(const rfi_fault_t *fault)
{
    rfi_fault_print(fault);
    if (fault->kind == RFI_FAULT_INTERNAL || rfi_config_get(abort_on_error)) {
        rfi_process_abort();
    }
}

static void
start(void)
{
    /* First, since a fork by another thread must find the hooks; and libc may
     * allocate for them. */
    bool emergency = rfi_emergency_start();
    int fork_error = rfi_thread_install_fork_hooks(
        before_fork, after_fork_in_parent, after_fork_in_child);

    rfi_log_start();
    rfi_options_load();
    rfi_fault_set_sink(on_fault);
    rfi_instance_start();
    if (!emergency) {
        rfi_log_info(1, "no emergency arena: out of memory at start");
    }
    if (fork_error != 0) {
        rfi_log_warning("no fork handlers: a child of a threaded process "
                        "must not allocate");
    }
    if (rfi_thread_install_exit_hook(on_thread_exit) != 0) {
        rfi_log_warning("no key for thread exit: heaps of ended threads "
                        "are not reused");
    }
}

static void
start_once(void)
{
    /* Acquire: pairs with the release below; the options are readable. */
    if (RFI_LIKELY(atomic_load_explicit(&started, memory_order_acquire))) {
        return;
    }
    rfi_lock_acquire(&start_lock);
    if (!atomic_load_explicit(&started, memory_order_relaxed)) {
        start();
        atomic_store_explicit(&started, true, memory_order_release);
    }
    rfi_lock_release(&start_lock);
}

RFI_COLD rfi_heap_t *
rfi_lifecycle_attach(void)
{
    if (rfi_thread_heap == &rfi_heap_attaching) {
        return &rfi_heap_attaching;
    }
    rfi_thread_heap = &rfi_heap_attaching;
    start_once();
    rfi_heap_t *heap = rfi_heap_pool_take();

    if (heap == NULL) {
        rfi_thread_heap = &rfi_heap_empty;
        return &rfi_heap_attaching;
    }
    rfi_thread_heap = heap;
    if (exit_rounds < EXIT_ROUNDS) {
        rfi_thread_arm_exit();
    }
    return heap;
}

void
rfi_lifecycle_operation_done(void)
{
    if (RFI_UNLIKELY(exit_rounds == EXIT_ROUNDS)) {
        give_heap_back();
    }
}

bool
rfi_lifecycle_trim(void)
{
    rfi_heap_t *heap = rfi_thread_heap;
    uint64_t now_ms = rfi_process_clock_ms();

    if (!rfi_heap_is_attached(heap) || !rfi_heap_enter(heap)) {
        return false;
    }
    rfi_remote_flush(heap);
    rfi_heap_collect(heap);
    rfi_heap_pool_sweep(now_ms, true);
    size_t bytes = rfi_huge_purge(now_ms, true);

    bytes += rfi_granule_purge(now_ms, true);
    rfi_heap_leave(heap);
    return bytes != 0;
}
