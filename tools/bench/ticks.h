/* SPDX-License-Identifier: MIT
 *
 * The cheapest clock there is: the processor's counter where user programs
 * may read it, else the kernel's. The unit is known only by comparison with
 * clock_ns(). The fence keeps the processor from reading the counter before
 * the call that is measured has done its work.
 */
#ifndef RINGFENCE_BENCH_TICKS_H
#define RINGFENCE_BENCH_TICKS_H

#include <stdint.h>
#include <time.h>

static inline uint64_t
clock_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static inline uint64_t
ticks_now(void)
{
#if defined(__x86_64__)
    __builtin_ia32_lfence();
    return __builtin_ia32_rdtsc();
#else
    return clock_ns();
#endif
}

#endif
