/* SPDX-License-Identifier: MIT
 *
 * The ordered table of huge blocks; see mem/huge_table.h.
 */
#include "mem/huge_table.h"

#include <string.h>

#include "base/assert.h"
#include "mem/meta.h"

#define FIRST_CAPACITY 64

static bool
grow(rfi_huge_table_t *table)
{
    size_t capacity =
        table->capacity == 0 ? FIRST_CAPACITY : 2 * table->capacity;
    rfi_huge_entry_t *entries = rfi_meta_alloc(
        capacity * sizeof(*entries), _Alignof(rfi_huge_entry_t));

    if (entries == NULL) {
        return false;
    }
    if (table->count != 0) {
        memcpy(entries, table->entries, table->count * sizeof(*entries));
    }
    table->entries = entries;
    table->capacity = capacity;
    return true;
}

bool
rfi_huge_table_reserve(rfi_huge_table_t *table)
{
    if (table->count + table->reserved == table->capacity && !grow(table)) {
        return false;
    }
    table->reserved++;
    return true;
}

void
rfi_huge_table_cancel(rfi_huge_table_t *table)
{
    rfi_assert(table->reserved != 0);
    table->reserved--;
}

/* Number of entries that start at or below the address. */
static size_t
count_up_to(const rfi_huge_table_t *table, uintptr_t address)
{
    size_t low = 0;
    size_t high = table->count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (table->entries[middle].start <= address) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

void
rfi_huge_table_insert(rfi_huge_table_t *table, uintptr_t start, size_t size)
{
    size_t position = count_up_to(table, start);
    rfi_huge_entry_t *entry = &table->entries[position];

    rfi_assert(table->reserved != 0);
    memmove(entry + 1, entry, (table->count - position) * sizeof(*entry));
    *entry = (rfi_huge_entry_t){.start = start, .size = size};
    table->count++;
    table->reserved--;
}

void
rfi_huge_table_remove(rfi_huge_table_t *table, uintptr_t start)
{
    size_t position = count_up_to(table, start);

    rfi_assert(position != 0 && table->entries[position - 1].start == start);
    rfi_huge_entry_t *entry = &table->entries[position - 1];

    memmove(entry, entry + 1, (table->count - position) * sizeof(*entry));
    table->count--;
}

rfi_huge_entry_t *
rfi_huge_table_find(const rfi_huge_table_t *table, uintptr_t address)
{
    size_t position = count_up_to(table, address);

    if (position == 0) {
        return NULL;
    }
    rfi_huge_entry_t *entry = &table->entries[position - 1];

    return address - entry->start < entry->size ? entry : NULL;
}
