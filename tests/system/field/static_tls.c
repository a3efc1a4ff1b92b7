/* SPDX-License-Identifier: MIT
 *
 * Case 5: the allocator is opened with dlopen by a program whose libraries
 * have used up most of the static TLS that the dynamic linker keeps in
 * reserve. Arguments: the allocator, then the libraries to open first.
 */
#include <dlfcn.h>

#include "case.h"

typedef void *(*malloc_t)(size_t);
typedef void (*free_t)(void *);

static void *
open_library(const char *path)
{
    void *handle = dlopen(path, RTLD_NOW);

    if (handle == NULL) {
        say(dlerror());
        say("\n");
    }
    EXPECT(handle != NULL);
    return handle;
}

static void *
use_from_thread(void *argument)
{
    (void)argument;
    free(opaque(malloc(100)));
    return NULL;
}

int
main(int count, char **arguments)
{
    malloc_t their_malloc;
    free_t their_free;
    void *allocator;

    for (int i = 2; i < count; i++) {
        (void)open_library(arguments[i]);
    }
    allocator = open_library(arguments[1]);
    their_malloc = (malloc_t)dlsym(allocator, "malloc");
    their_free = (free_t)dlsym(allocator, "free");
    EXPECT(their_malloc != NULL && their_free != NULL);
    for (size_t size = 1; size < 4 * MIB; size = size * 2 + 1) {
        void *block = their_malloc(size);

        EXPECT(block != NULL);
        memset(block, 1, size);
        their_free(block);
    }
    join_thread(start_thread(use_from_thread, NULL));
    return finish();
}
