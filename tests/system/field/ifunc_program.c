/* SPDX-License-Identifier: MIT
 *
 * Case 4c: code that runs while the dynamic linker still relocates. The
 * resolver of the indirect function in this program runs after every library
 * was relocated, the one in ifunc_library.c before the preloaded one was.
 * Linked once with each build of that library.
 */
#include "case.h"

extern int ifunc_library_answer(void);
extern void *ifunc_library_block(void);
int program_answer(void);

static void *resolver_block;

static int
answer(void)
{
    return 42;
}

__attribute__((used)) static int (*resolve_program_answer(void))(void)
{
    free(opaque(NULL));
#ifdef IFUNC_ALLOCATES
    resolver_block = malloc(100);
#endif
    return answer;
}

int
program_answer(void) __attribute__((ifunc("resolve_program_answer")));

int
main(void)
{
    EXPECT(program_answer() == 42);
    EXPECT(ifunc_library_answer() == 43);
    free(resolver_block);
    free(ifunc_library_block());
    return finish();
}
