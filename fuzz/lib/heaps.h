/* SPDX-License-Identifier: MIT
 *
 * Looks inside the allocator, while nobody uses it: are its invariants kept,
 * and is all memory back when all blocks are freed?
 */
#ifndef RINGFENCE_FUZZ_LIB_HEAPS_H
#define RINGFENCE_FUZZ_LIB_HEAPS_H

/* Audits every heap, the orphans, the granules and the huge blocks. */
void heaps_audit(void);

/* With no live block and everything trimmed: no granule may be in a span. */
void heaps_check_empty(void);

#endif
