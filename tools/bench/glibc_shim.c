/* SPDX-License-Identifier: MIT
 *
 * libbench_glibc.so: preloaded, it makes a program use the C library's
 * allocator although the program is linked with another one (as Debian's
 * redis-server is). Preloading the C library itself does not help, because
 * the loader finds that it is already there and keeps its place in the
 * search order.
 */
#include <dlfcn.h>
#include <errno.h>
#include <malloc.h>
#include <stdlib.h>

#define EXPORT __attribute__((visibility("default")))

/* The C library's allocator under names that nobody interposes. */
extern void *__libc_malloc(size_t size);
extern void __libc_free(void *block);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *block, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);
extern void *__libc_valloc(size_t size);
extern void *__libc_pvalloc(size_t size);

EXPORT void *
malloc(size_t size)
{
    return __libc_malloc(size);
}

EXPORT void
free(void *block)
{
    __libc_free(block);
}

EXPORT void *
calloc(size_t count, size_t size)
{
    return __libc_calloc(count, size);
}

EXPORT void *
realloc(void *block, size_t size)
{
    return __libc_realloc(block, size);
}

EXPORT void *
memalign(size_t alignment, size_t size)
{
    return __libc_memalign(alignment, size);
}

EXPORT void *
aligned_alloc(size_t alignment, size_t size)
{
    return __libc_memalign(alignment, size);
}

EXPORT int
posix_memalign(void **result, size_t alignment, size_t size)
{
    const size_t words = alignment / sizeof(void *);
    if (words == 0 || alignment % sizeof(void *) != 0 ||
        (words & (words - 1)) != 0) {
        return EINVAL;
    }
    void *block = __libc_memalign(alignment, size);
    if (block == NULL) {
        return ENOMEM;
    }
    *result = block;
    return 0;
}

EXPORT void *
valloc(size_t size)
{
    return __libc_valloc(size);
}

EXPORT void *
pvalloc(size_t size)
{
    return __libc_pvalloc(size);
}

/* The one function without a second name: asked of the C library itself. */
EXPORT size_t
malloc_usable_size(void *block)
{
    static size_t (*usable_size)(void *);
    if (usable_size == NULL) {
        void *libc = dlopen("libc.so.6", RTLD_LAZY | RTLD_NOLOAD);
        void *found = dlsym(libc, "malloc_usable_size");
        __atomic_store_n(&usable_size, (size_t(*)(void *))found,
                         __ATOMIC_RELAXED);
    }
    return usable_size(block);
}
