/* SPDX-License-Identifier: MIT
 *
 * The bytes with which a live block is filled. They depend on the block's
 * seed and on the place, so that a byte that changed, moved or came from
 * another block is noticed.
 *
 * Blocks up to PATTERN_WHOLE_MAX bytes are written and checked whole. Of
 * larger ones only evenly spaced stretches are, the first and the last bytes
 * among them: a fuzzer wants many runs, not many page faults.
 *
 *   [####......####......####......####]    # written, . left alone
 */
#ifndef RINGFENCE_FUZZ_LIB_PATTERN_H
#define RINGFENCE_FUZZ_LIB_PATTERN_H

#include <stddef.h>
#include <stdint.h>

#define PATTERN_WHOLE_MAX ((size_t)4096)

/* What the finders return when they found nothing. */
#define PATTERN_NOWHERE SIZE_MAX

void pattern_fill(unsigned char *start, size_t size, uint64_t seed);

/* Offset below `limit` of a byte that differs from what pattern_fill() with
 * this size and seed has written. */
size_t pattern_find_difference(const unsigned char *start, size_t size,
                               uint64_t seed, size_t limit);

/* Offset of a byte that is not zero, in the same places. */
size_t pattern_find_nonzero(const unsigned char *start, size_t size);

#endif
