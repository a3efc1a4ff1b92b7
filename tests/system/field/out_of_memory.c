/* SPDX-License-Identifier: MIT
 *
 * Case 18, small blocks: the runner limits the address space, the program
 * uses it up with blocks of every size class, and the heap must stay whole:
 * contents are kept, frees work, realloc fails without harm, and afterwards
 * the memory can be had again.
 */
#include <errno.h>

#include "case.h"

#define MOST 2000000

typedef struct node {
    struct node *next;
    size_t size;
} node_t;

static size_t
node_check(const node_t *node)
{
    return node->size ^ (uintptr_t)node;
}

/* A list of blocks until memory runs out; their last word is a check. */
static node_t *
fill(size_t largest, size_t *bytes)
{
    uint64_t state = 21;
    node_t *list = NULL;

    for (size_t i = 0; i < MOST; i++) {
        size_t size = (sizeof(node_t) + random_size(&state, largest) + 15) &
                      ~(size_t)7;
        node_t *node;

        errno = 0;
        node = malloc(size);
        if (node == NULL) {
            EXPECT(errno == ENOMEM);
            return list;
        }
        node->next = list;
        node->size = size;
        ((size_t *)node)[size / sizeof(size_t) - 1] = node_check(node);
        list = node;
        *bytes += size;
    }
    fail_case(__FILE__, __LINE__, "memory is limited");
    return NULL;
}

static void
drop(node_t *list)
{
    while (list != NULL) {
        node_t *next = list->next;
        size_t words = list->size / sizeof(size_t);

        EXPECT(((size_t *)list)[words - 1] == node_check(list));
        free(list);
        list = next;
    }
}

int
main(void)
{
    const size_t largest[] = {64, 1024, 16 * KIB, 256 * KIB, 4 * MIB};
    long least_mib = 24;

    for (size_t i = 0; i < COUNT_OF(largest); i++) {
        size_t bytes = 0;
        node_t *list = fill(largest[i], &bytes);

        EXPECT(opaque(realloc(list, 512 * MIB)) == NULL && errno == ENOMEM);
        EXPECT(opaque(calloc(1, 512 * MIB)) == NULL && errno == ENOMEM);
        drop(list);
        EXPECT_AT_MOST(least_mib, bytes / MIB);
    }
    return finish();
}
