/* SPDX-License-Identifier: MIT
 *
 * See stress.h. A block's first word holds its size; every 64th byte after
 * it, and the last word, hold a mark made of address and size.
 */
#include "stress.h"

#include <string.h>
#include <unistd.h>

#include "base/compiler.h"
#include "heap/heap_pool.h"
#include "mem/granule.h"
#include "mem/large.h"
#include "ringfence/alloc.h"

void
stress_fail(const char *condition, const char *file, int line)
{
    fprintf(stderr, "%s:%d: %s\n", file, line, condition);
    abort();
}

uint64_t
stress_random(uint64_t *state)
{
    /* splitmix64 */
    uint64_t word = *state += 0x9e3779b97f4a7c15u;

    word = (word ^ word >> 30) * 0xbf58476d1ce4e5b9u;
    word = (word ^ word >> 27) * 0x94d049bb133111ebu;
    return word ^ word >> 31;
}

size_t
stress_size(uint64_t *random)
{
    uint64_t dice = stress_random(random);
    unsigned kind = dice & 1023;
    size_t spread = (size_t)(dice >> 10);

    if (kind < 900) {
        return 16 + spread % 500;
    }
    if (kind < 1020) {
        return 16 + spread % ((size_t)16 << (spread >> 32) % 13);
    }
    return 70000 + spread % 300000;
}

static uint64_t
mark_of(const void *block, size_t size)
{
    return (uint64_t)(uintptr_t)block * 0x9e3779b97f4a7c15u ^ size;
}

static void
fill(void *block, size_t size)
{
    uint64_t mark = mark_of(block, size);
    char *bytes = block;

    for (size_t i = 64; i + 16 <= size; i += 64) {
        memcpy(bytes + i, &mark, 8);
    }
    memcpy(bytes + size - 8, &mark, 8);
    memcpy(bytes, &size, 8);
}

static void
require_mark(const char *place, uint64_t mark)
{
    REQUIRE(memcmp(place, &mark, 8) == 0);
}

static void
check(const void *block, size_t size)
{
    uint64_t mark = mark_of(block, size);
    const char *bytes = block;

    for (size_t i = 64; i + 16 <= size; i += 64) {
        require_mark(bytes + i, mark);
    }
    require_mark(bytes + size - 8, mark);
}

static void *
take_zeroed(size_t size)
{
    char *block = rf_calloc(1, size);

    REQUIRE(block == NULL
            || (block[0] == 0 && memcmp(block, block + 1, size - 1) == 0));
    return block;
}

static void *
take_resized(size_t from, size_t size)
{
    void *first = rf_malloc(from);
    void *block = first != NULL ? rf_realloc(first, size) : NULL;

    if (first != NULL && block == NULL) {
        rf_free(first);
    }
    return block;
}

void *
stress_take(uint64_t *random, size_t size)
{
    uint64_t dice = stress_random(random);
    size_t align = (size_t)16 << (dice >> 8) % 8;
    void *block;

    switch (dice & 15) {
    case 0:
        block = take_zeroed(size);
        break;
    case 1:
        block = take_resized(1 + (size_t)(dice >> 16) % 1000, size);
        break;
    case 2:
        block = rf_aligned_alloc(align, size);
        REQUIRE((uintptr_t)block % align == 0);
        break;
    default:
        block = rf_malloc(size);
        break;
    }
    if (block != NULL) {
        REQUIRE((uintptr_t)block % 16 == 0);
        fill(block, size);
    }
    return block;
}

void
stress_give(void *block)
{
    if (block != NULL) {
        size_t size;

        memcpy(&size, block, 8);
        REQUIRE(size >= 16 && rf_usable_size(block) >= size);
        check(block, size);
        memset(block, 0xa5, 8);
        rf_free(block);
    }
}

static void
audit_heap(rfi_heap_t *heap, void *context)
{
    (void)context;
    REQUIRE(rfi_heap_audit(heap) == 0);
}

void
stress_audit(void)
{
    rfi_heap_pool_walk(audit_heap, NULL);
    REQUIRE(rfi_heap_audit(&rfi_heap_orphans) == 0);
    REQUIRE(rfi_granule_audit() == 0);
    REQUIRE(rfi_huge_audit() == 0);
}

size_t
stress_resident_bytes(void)
{
    size_t pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");

    REQUIRE(file != NULL && fscanf(file, "%*s %zu", &pages) == 1);
    fclose(file);
    return pages * (size_t)sysconf(_SC_PAGESIZE);
}

unsigned
stress_amount(int count, char **arguments, unsigned otherwise)
{
    if (count > 1) {
        return (unsigned)strtoul(arguments[1], NULL, 10);
    }
#if defined(RFI_TSAN) || defined(RFI_ASAN)
    return otherwise / 10;
#else
    return otherwise;
#endif
}
