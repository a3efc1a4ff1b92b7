/* SPDX-License-Identifier: MIT
 *
 * Case 50: a program built with a sanitizer, which brings its own malloc. The
 * preloaded library must not get into its way.
 */
#include "case.h"

static void *
use_heap(void *argument)
{
    (void)argument;
    for (size_t size = 1; size < 4 * MIB; size = size * 2 + 1) {
        char *block = malloc(size);

        EXPECT(block != NULL);
        memset(block, 1, size);
        block = realloc(block, size * 2);
        EXPECT(block != NULL && block[size - 1] == 1);
        free(block);
    }
    free(strdup("a text"));
    return NULL;
}

int
main(void)
{
    (void)use_heap(NULL);
    join_thread(start_thread(use_heap, NULL));
    return finish();
}
