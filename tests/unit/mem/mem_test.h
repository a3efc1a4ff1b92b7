/* SPDX-License-Identifier: MIT
 *
 * What the tests of the mem layer share: the audits as one assertion, and
 * the failing of system calls.
 */
#ifndef RINGFENCE_TESTS_UNIT_MEM_MEM_TEST_H
#define RINGFENCE_TESTS_UNIT_MEM_MEM_TEST_H

#include <string.h>

#include "mem/granule.h"
#include "mem/large.h"
#include "os/fail.h"
#include "support/test.h"

#define KIB ((size_t)1024)
#define MIB (1024 * KIB)
#define GIB (1024 * MIB)

#define assert_sound() \
    do { \
        assert_int_equal(rfi_granule_audit(), 0); \
        assert_int_equal(rfi_huge_audit(), 0); \
    } while (0)

/* Changes a value, expects the audit's verdict, changes it back. */
#define assert_breaks(audit, place, value, invariant) \
    do { \
        __auto_type saved = (place); \
        (place) = (value); \
        assert_int_equal(audit(), (invariant)); \
        (place) = saved; \
        assert_int_equal(audit(), 0); \
    } while (0)

#define FOR_EVER (UINT64_MAX / 2)

static inline void
never_fail(void)
{
    rfi_fail_arm(1, 0);
}

static inline void
count_calls(void)
{
    rfi_fail_arm(UINT64_MAX, 1);
}

static inline bool
is_all(const char *bytes, size_t count, char value)
{
    /* Each byte is like its neighbour. */
    return bytes[0] == value && memcmp(bytes, bytes + 1, count - 1) == 0;
}

#endif
