/* SPDX-License-Identifier: MIT
 *
 * Arithmetic that says when it overflowed. Each returns false on overflow
 * and leaves *result unspecified.
 */
#ifndef RINGFENCE_BASE_CHECKED_H
#define RINGFENCE_BASE_CHECKED_H

#include <stdbool.h>
#include <stddef.h>

static inline bool
rfi_checked_add(size_t a, size_t b, size_t *result)
{
    return !__builtin_add_overflow(a, b, result);
}

static inline bool
rfi_checked_multiply(size_t a, size_t b, size_t *result)
{
    return !__builtin_mul_overflow(a, b, result);
}

#endif
