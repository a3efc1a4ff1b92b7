/* SPDX-License-Identifier: MIT
 *
 * Makes the Nth memory call to the kernel fail with ENOMEM, for tests of the
 * out-of-memory paths ("torture"). Compiled in always, off by default; one
 * relaxed load per system call.
 */
#ifndef RINGFENCE_OS_FAIL_H
#define RINGFENCE_OS_FAIL_H

#include <stdbool.h>
#include <stdint.h>

/* Fails the calls number first, first + 1, ... first + count - 1 from now on
 * (the next call is number 1). count 0 switches it off: nothing fails and
 * nothing is counted. (UINT64_MAX, 1) counts without failing. */
void rfi_fail_arm(uint64_t first, uint64_t count);

/* Number of calls counted since rfi_fail_arm(). */
uint64_t rfi_fail_calls(void);

/* Counts one call; true when it must fail. Called by os/page_linux.c. */
bool rfi_fail_now(void);

#endif
