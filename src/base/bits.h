/* SPDX-License-Identifier: MIT
 *
 * Arithmetic on powers of two. Pure, total for the stated arguments.
 */
#ifndef RINGFENCE_BASE_BITS_H
#define RINGFENCE_BASE_BITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Is n a power of two? Zero is not. */
static inline bool
rfi_is_power_of_two(size_t n)
{
    return n != 0 && (n & (n - 1)) == 0;
}

/* Index of the highest set bit; n must not be zero. */
static inline unsigned
rfi_log2_floor(size_t n)
{
    return 63u - (unsigned)__builtin_clzl(n);
}

/* Index of the lowest set bit; n must not be zero. */
static inline unsigned
rfi_lowest_bit(uint64_t n)
{
    return (unsigned)__builtin_ctzll(n);
}

/* n rounded up to a multiple of the power of two `align`; the caller has
 * excluded overflow. */
static inline size_t
rfi_align_up(size_t n, size_t align)
{
    return (n + align - 1) & ~(align - 1);
}

static inline size_t
rfi_align_down(size_t n, size_t align)
{
    return n & ~(align - 1);
}

static inline size_t
rfi_divide_up(size_t n, size_t divisor)
{
    return n / divisor + (n % divisor != 0);
}

static inline size_t
rfi_min(size_t a, size_t b)
{
    return a < b ? a : b;
}

static inline size_t
rfi_max(size_t a, size_t b)
{
    return a > b ? a : b;
}

#endif
