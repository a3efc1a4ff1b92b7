/* SPDX-License-Identifier: MIT
 *
 * The counter behind failure injection. Tests arm it while no other thread
 * makes memory calls; the calls themselves may come from many threads.
 */
#include "os/fail.h"

#include <stdatomic.h>

static _Atomic(uint64_t) failing_count; /* 0: off, nothing is counted */
static _Atomic(uint64_t) failing_first;
static _Atomic(uint64_t) calls_seen;

void
rfi_fail_arm(uint64_t first, uint64_t count)
{
    atomic_store_explicit(&failing_count, 0, memory_order_relaxed);
    atomic_store_explicit(&failing_first, first, memory_order_relaxed);
    atomic_store_explicit(&calls_seen, 0, memory_order_relaxed);
    atomic_store_explicit(&failing_count, count, memory_order_release);
}

uint64_t
rfi_fail_calls(void)
{
    return atomic_load_explicit(&calls_seen, memory_order_relaxed);
}

bool
rfi_fail_now(void)
{
    uint64_t count = atomic_load_explicit(&failing_count, memory_order_relaxed);

    if (count == 0) {
        return false;
    }
    uint64_t number =
        1 + atomic_fetch_add_explicit(&calls_seen, 1, memory_order_relaxed);
    uint64_t first = atomic_load_explicit(&failing_first, memory_order_relaxed);
    return number >= first && number - first < count;
}
