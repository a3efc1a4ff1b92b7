/* SPDX-License-Identifier: MIT
 *
 * Huge blocks in address order, to answer for addresses inside of them. An
 * array in metadata, found by bisection; arrays that it outgrew stay behind.
 * Inserting never fails, because room is reserved first: a block that has
 * been taken out (to be moved) can always be put back. The caller holds the
 * huge lock.
 */
#ifndef RINGFENCE_MEM_HUGE_TABLE_H
#define RINGFENCE_MEM_HUGE_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct rfi_huge_entry {
    uintptr_t start;
    size_t size;
} rfi_huge_entry_t;

typedef struct rfi_huge_table {
    rfi_huge_entry_t *entries; /* by rising start, disjoint */
    size_t count;
    size_t reserved; /* entries that will be inserted */
    size_t capacity; /* >= count + reserved */
} rfi_huge_table_t;

/* Room for one insertion; false when there is no memory. */
bool rfi_huge_table_reserve(rfi_huge_table_t *table);
void rfi_huge_table_cancel(rfi_huge_table_t *table);

/* Uses up a reservation. */
void rfi_huge_table_insert(rfi_huge_table_t *table, uintptr_t start,
                           size_t size);

void rfi_huge_table_remove(rfi_huge_table_t *table, uintptr_t start);

/* The entry that holds the address, or NULL. Its size may be changed. */
rfi_huge_entry_t *rfi_huge_table_find(const rfi_huge_table_t *table,
                                      uintptr_t address);

#endif
