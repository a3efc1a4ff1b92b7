/* SPDX-License-Identifier: MIT
 *
 * Negative control: a malloc replacement as people write it in an afternoon.
 * Cases that this library survives do not test anything. It takes its memory
 * from libc's mmap, so it recurses when mmap is hooked, and it knows only the
 * four basic names.
 */
#include <stddef.h>
#include <string.h>
#include <sys/mman.h>

#define AREA_BYTES ((size_t)1 << 36)

static char *area;
static size_t used;

void *malloc(size_t size);
void *calloc(size_t count, size_t size);
void *realloc(void *old, size_t size);
void free(void *block);

void *
malloc(size_t size)
{
    if (area == NULL) {
        area = mmap(NULL, AREA_BYTES, PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    }
    size = (size + 15) & ~(size_t)15;
    return area + __atomic_fetch_add(&used, size, __ATOMIC_RELAXED);
}

void *
calloc(size_t count, size_t size)
{
    return malloc(count * size);
}

void *
realloc(void *old, size_t size)
{
    void *block = malloc(size);

    return old != NULL ? memcpy(block, old, size) : block;
}

void
free(void *block)
{
    (void)block;
}
