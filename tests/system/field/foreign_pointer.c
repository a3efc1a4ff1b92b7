/* SPDX-License-Identifier: MIT
 *
 * Case 34: pointers of another allocator, here libc's own malloc reached past
 * the preloaded one. By default that ends the process (see wrong_pointer.c);
 * the option unowned=ignore leaves them alone, unowned=forward hands them to
 * the allocator they came from. The argument is that word, or `direct` to
 * check the program itself.
 */
#include <dlfcn.h>
#include <malloc.h>

#include "case.h"

typedef void *(*malloc_t)(size_t);
typedef size_t (*usable_size_t)(void *);

int
main(int count, char **arguments)
{
    const char *policy = count > 1 ? arguments[1] : "direct";
    void *libc = dlopen("libc.so.6", RTLD_NOW);
    malloc_t libc_malloc = (malloc_t)dlsym(libc, "malloc");
    char *block;

    EXPECT(libc_malloc != NULL);
    for (size_t size = 1; size <= MIB; size = size * 2 + 1) {
        block = libc_malloc(size);
        EXPECT(block != NULL);
        memset(block, 'f', size);
        if (strcmp(policy, "ignore") != 0) {
            EXPECT(malloc_usable_size(block) >= size);
            block = realloc(block, size * 2);
            EXPECT(block != NULL && block[size - 1] == 'f');
        }
        free(block);
    }
    free(opaque(malloc(100)));
    return finish();
}
