/* SPDX-License-Identifier: MIT
 *
 * Looks inside the allocator, while nobody uses it: are its invariants kept,
 * and is all memory back when all blocks are freed?
 */
#ifndef RINGFENCE_FUZZ_LIB_HEAPS_H
#define RINGFENCE_FUZZ_LIB_HEAPS_H

/* Before the first allocation: takes vm.overcommit_memory from the variable
 * RINGFENCE_FUZZ_OVERCOMMIT, if it is set, instead of from the system. Mode 2
 * has code of its own, which commits memory chunk by chunk. */
void heaps_start(void);

/* Audits every heap, the orphans, the granules and the huge blocks. */
void heaps_audit(void);

/* With no live block and everything trimmed: no granule may be in a span. */
void heaps_check_empty(void);

#endif
