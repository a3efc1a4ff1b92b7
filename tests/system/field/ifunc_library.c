/* SPDX-License-Identifier: MIT
 *
 * Case 4c, the library: its resolver runs before the preloaded allocator was
 * relocated. Built twice: IFUNC_ALLOCATES makes the resolver allocate too,
 * while the plain build only calls free(NULL).
 */
#include <stddef.h>
#include <stdlib.h>

int ifunc_library_answer(void);
void *ifunc_library_block(void);

static void *block;

void *
ifunc_library_block(void)
{
    return block;
}

static int
answer(void)
{
    return 43;
}

__attribute__((used)) static int (*resolve_answer(void))(void)
{
    free(NULL);
#ifdef IFUNC_ALLOCATES
    block = malloc(100);
#endif
    return answer;
}

int
ifunc_library_answer(void) __attribute__((ifunc("resolve_answer")));
