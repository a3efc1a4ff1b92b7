/* SPDX-License-Identifier: MIT
 *
 * Calls the allocator for an operation, and checks at once what the function
 * promises: success or failure, errno, zeroed bytes, kept bytes. All are
 * callable from any thread.
 */
#ifndef RINGFENCE_FUZZ_LIB_CALLS_H
#define RINGFENCE_FUZZ_LIB_CALLS_H

#include <stdbool.h>
#include <stdint.h>

#include "block.h"
#include "ops.h"

/* Makes the kernel refuse `count` memory calls from the call number `first`
 * on; from now on any allocation may fail. */
void calls_fail_kernel(uint64_t first, uint64_t count);

/* The kernel gives memory again; what is in reach must succeed. */
void calls_heal_kernel(void);

/* False when the allocator returned NULL, rightly. */
bool calls_alloc(const op_t *op, block_t *block);

/* Does a thing to a live block and says whether it is still live; *block is
 * up to date then. */
bool calls_resize(const op_t *op, block_t *block);
void calls_free(const op_t *op, const block_t *block);

void calls_trim(const op_t *op);

/* Sets the option dirty_decay_ms to one of a few values. */
void calls_set_decay(unsigned choice);

#endif
