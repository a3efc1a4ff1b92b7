/* SPDX-License-Identifier: MIT
 *
 * Case 19: the kernel allows a process 65530 mappings. Argument `many`: the
 * allocator does not waste them with a large mixed heap. Argument `few`: the
 * process has only 500 left, and what fits into them must work; an allocation
 * that finds no mapping is NULL, never a crash.
 */
#include <errno.h>
#include <sys/mman.h>

#include "case.h"

#define SMALL_BYTES (5 * KIB)
#define LARGE_BYTES (130 * KIB)
#define MOST_MAPS 20000
#define LEFT 500

static void
allocate(void **blocks, size_t count, size_t size)
{
    for (size_t i = 0; i < count; i++) {
        blocks[i] = malloc(size);
        EXPECT(blocks[i] != NULL);
        *(char *)blocks[i] = 1;
    }
}

static void
check_many(void)
{
    size_t small_count = scaled(200000, 40000);
    size_t large_count = scaled(60000, 12000);
    void **small = malloc(small_count * sizeof(void *));
    void **large = malloc(large_count * sizeof(void *));
    uint64_t state = 13;

    allocate(small, small_count, SMALL_BYTES);
    allocate(large, large_count, LARGE_BYTES);
    for (size_t i = 0; i < small_count / 2; i++) {
        void **slot = &small[next_random(&state) % small_count];

        free(*slot);
        *slot = NULL;
    }
    for (size_t i = 0; i < large_count / 2; i++) {
        void **slot = &large[next_random(&state) % large_count];

        free(*slot);
        *slot = NULL;
    }
    EXPECT_AT_MOST(map_count(), MOST_MAPS);
}

/* Every second page of an area gets another protection: a mapping each. */
static void
leave_few_maps(void)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    size_t pages = 140000;
    char *area = mmap(NULL, pages * page, PROT_NONE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    size_t i;

    EXPECT(area != MAP_FAILED);
    for (i = 1; i < pages; i += 2) {
        if (mprotect(area + i * page, page, PROT_READ) != 0) {
            break;
        }
    }
    if (i >= pages) {
        skip("the kernel allows more mappings than this case makes");
    }
    EXPECT(munmap(area, LEFT * page) == 0);
}

static void
check_few(void)
{
    static unsigned char *slots[20000];
    size_t rounds = scaled(1000000, 200000);
    size_t refused = 0;
    uint64_t state = 17;

    leave_few_maps();
    for (size_t i = 0; i < rounds; i++) {
        unsigned char **slot =
            &slots[next_random(&state) % COUNT_OF(slots)];
        size_t size = random_size(&state, i % 64 == 0 ? 4 * MIB : 8 * KIB);

        free(*slot);
        *slot = malloc(size);
        if (*slot == NULL) {
            EXPECT(errno == ENOMEM);
            refused++;
            continue;
        }
        (*slot)[0] = 1;
        (*slot)[size - 1] = 1;
    }
    EXPECT_AT_MOST(refused, rounds / 10);
}

int
main(int count, char **arguments)
{
    if (count > 1 && strcmp(arguments[1], "few") == 0) {
        check_few();
    } else {
        check_many();
    }
    return finish();
}
