/* SPDX-License-Identifier: MIT
 *
 * Case 13: a handler that frees a reserve makes operator new succeed. The
 * runner limits the address space, so that the memory really is used up.
 */
#include <new>

#include "case.h"

static void *reserve;
static int calls;

static void
release_reserve()
{
    calls++;
    free(reserve);
    reserve = NULL;
    std::set_new_handler(nullptr);
}

int
main()
{
    const size_t step = 20 * MIB;
    size_t blocks = 0;

    reserve = malloc(2 * step);
    EXPECT(reserve != NULL);
    while (opaque(::operator new(step, std::nothrow)) != NULL) {
        EXPECT(++blocks < 10000);
    }
    std::set_new_handler(release_reserve);
    EXPECT(opaque(::operator new(step)) != NULL);
    EXPECT(calls == 1);
    return finish();
}
