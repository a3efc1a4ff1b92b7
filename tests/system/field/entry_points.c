/* SPDX-License-Identifier: MIT
 *
 * Case 15: no entry point of glibc's malloc is left behind. Every name that
 * hands out or takes memory resolves to the library under test (argument 1;
 * without it nothing is asked about origins), and what any of them returns
 * can be freed by any of the others.
 */
#include <dlfcn.h>
#include <errno.h>
#include <malloc.h>

#include "case.h"

static const char *const names[] = {
    "malloc",           "calloc",           "realloc",
    "reallocarray",     "free",             "memalign",
    "aligned_alloc",    "posix_memalign",   "valloc",
    "pvalloc",          "malloc_usable_size", "malloc_trim",
    "malloc_stats",     "malloc_info",      "mallinfo",
    "mallinfo2",        "mallopt",          "__libc_malloc",
    "__libc_calloc",    "__libc_realloc",   "__libc_memalign",
    "__libc_valloc",    "__libc_pvalloc",   "__libc_free",
};

/* Names that some versions of glibc do not have. */
static const char *const our_names[] = {"cfree", "free_sized",
                                        "free_aligned_sized"};

typedef void *(*one_t)(size_t);
typedef void *(*two_t)(size_t, size_t);
typedef void *(*realloc_t)(void *, size_t);
typedef void (*free_t)(void *);

static void
expect_origin(const char *name, const char *library)
{
    void *function = dlsym(RTLD_DEFAULT, name);
    Dl_info info;

    if (function == NULL) {
        say(name);
        say(" is missing\n");
    }
    EXPECT(function != NULL);
    EXPECT(dladdr(function, &info) != 0);
    if (strcmp(info.dli_fname, library) != 0) {
        say(name);
        say(" comes from ");
        say(info.dli_fname);
        say("\n");
    }
    EXPECT(strcmp(info.dli_fname, library) == 0);
}

/* All ways to get 100 bytes. */
static size_t
allocate_all(void **blocks)
{
    size_t count = 0;

    blocks[count++] = malloc(100);
    blocks[count++] = calloc(10, 10);
    blocks[count++] = realloc(opaque(NULL), 100);
    blocks[count++] = reallocarray(opaque(NULL), 10, 10);
    blocks[count++] = memalign(64, 100);
    blocks[count++] = aligned_alloc(64, 128);
    EXPECT(posix_memalign(&blocks[count++], 64, 100) == 0);
    blocks[count++] = valloc(100);
    blocks[count++] = pvalloc(100);
    blocks[count++] = ((one_t)dlsym(RTLD_DEFAULT, "__libc_malloc"))(100);
    blocks[count++] = ((two_t)dlsym(RTLD_DEFAULT, "__libc_calloc"))(1, 100);
    blocks[count++] =
        ((realloc_t)dlsym(RTLD_DEFAULT, "__libc_realloc"))(NULL, 100);
    blocks[count++] =
        ((two_t)dlsym(RTLD_DEFAULT, "__libc_memalign"))(64, 100);
    blocks[count++] = ((one_t)dlsym(RTLD_DEFAULT, "__libc_valloc"))(100);
    blocks[count++] = ((one_t)dlsym(RTLD_DEFAULT, "__libc_pvalloc"))(100);
    return count;
}

static void
pass_through(const char *free_name)
{
    free_t release = (free_t)dlsym(RTLD_DEFAULT, free_name);
    void *blocks[32];
    size_t count = allocate_all(blocks);

    for (size_t i = 0; release != NULL && i < count; i++) {
        EXPECT(blocks[i] != NULL);
        EXPECT(malloc_usable_size(blocks[i]) >= 100);
        memset(blocks[i], 1, 100);
        blocks[i] = realloc(blocks[i], 200);
        EXPECT(blocks[i] != NULL && ((char *)blocks[i])[99] == 1);
        release(blocks[i]);
    }
}

static void
check_pvalloc_zero(void)
{
    void *block;

    errno = 0;
    block = pvalloc(0);
    EXPECT(block != NULL && errno == 0);
    EXPECT(((uintptr_t)block & 4095) == 0);
    free(block);
}

int
main(int count, char **arguments)
{
    for (size_t i = 0; count > 1 && i < COUNT_OF(names); i++) {
        expect_origin(names[i], arguments[1]);
    }
    for (size_t i = 0; count > 1 && i < COUNT_OF(our_names); i++) {
        expect_origin(our_names[i], arguments[1]);
    }
    pass_through("free");
    pass_through("__libc_free");
    pass_through("cfree");
    check_pvalloc_zero();
    return finish();
}
