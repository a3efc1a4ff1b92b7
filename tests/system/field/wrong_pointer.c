/* SPDX-License-Identifier: MIT
 *
 * Pointers that are no block, given to free, realloc and malloc_usable_size.
 * Arguments: the name of a mistake and `wrong` or `right`. The wrong form
 * announces the pointer and makes the mistake; it must end with SIGABRT and
 * one line that names the pointer. The right form does the same work without
 * the mistake, and is silent.
 */
#include <malloc.h>
#include <sys/mman.h>

#include "case.h"

#define WILD ((uintptr_t)0x4141414141410000)

static char global[256];
static char on_stack_size = 100;

static void
announce(const void *pointer)
{
    char text[64];

    (void)snprintf(text, sizeof(text), "pointer %p\n", pointer);
    say(text);
}

/* Frees `block`; the wrong form frees `pointer` instead. */
static void
free_instead(void *block, void *pointer, bool wrong)
{
    if (wrong) {
        announce(pointer);
        free(opaque(pointer));
    }
    free(opaque(block));
}

static void
free_stack(bool wrong)
{
    char local[256] = {on_stack_size};

    free_instead(malloc(100), (char *)opaque(local) + 16, wrong);
}

static void
free_global(bool wrong)
{
    free_instead(malloc(100), global + 16, wrong);
}

static void
free_wild(bool wrong)
{
    free_instead(malloc(100), (void *)WILD, wrong);
}

static void
free_foreign(bool wrong)
{
    void *mapping = mmap(NULL, MIB, PROT_READ | PROT_WRITE,
                         MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    EXPECT(mapping != MAP_FAILED);
    free_instead(malloc(100), (char *)mapping + 64, wrong);
}

static void
free_inside(size_t size, size_t offset, bool wrong)
{
    char *block = malloc(size);

    free_instead(block, block + offset, wrong);
}

static void
free_inside_medium(bool wrong)
{
    free_inside(20 * KIB, 4096, wrong);
}

static void
free_inside_large(bool wrong)
{
    free_inside(MIB, 300 * KIB, wrong);
}

static void
free_inside_huge(bool wrong)
{
    free_inside(64 * MIB, 40 * MIB, wrong);
}

static void
free_inside_small(bool wrong)
{
    free_inside(100, 32, wrong);
}

static void
free_misaligned(bool wrong)
{
    free_inside(100, 1, wrong);
}

static void
free_near_null(bool wrong)
{
    free_instead(malloc(100), (void *)(uintptr_t)16, wrong);
}

static void
free_kernel_address(bool wrong)
{
    free_instead(malloc(100), (void *)(UINTPTR_MAX - 4095), wrong);
}

/* A block whose whole neighbourhood was freed. */
static void
free_in_freed_span(bool wrong)
{
    static void *blocks[1000];

    for (size_t i = 0; i < COUNT_OF(blocks); i++) {
        blocks[i] = malloc(5 * KIB);
    }
    for (size_t i = 0; i < COUNT_OF(blocks); i++) {
        free(blocks[i]);
    }
    free_instead(malloc(100), blocks[COUNT_OF(blocks) / 2], wrong);
}

/* The old address of a block that realloc moved. */
static void
free_after_move(bool wrong)
{
    char *old = malloc(100);
    char *moved = realloc(old, 100 * KIB);

    EXPECT(moved != NULL);
    free_instead(moved, opaque(old), wrong);
}

static void
free_twice(size_t size, bool wrong)
{
    void *block = malloc(size);

    free(block);
    if (wrong) {
        announce(opaque(block));
        free(opaque(block));
    }
}

static void
free_small_twice(bool wrong)
{
    free_twice(100, wrong);
}

static void
free_medium_twice(bool wrong)
{
    free_twice(20 * KIB, wrong);
}

static void
free_large_twice(bool wrong)
{
    free_twice(MIB, wrong);
}

static void
free_huge_twice(bool wrong)
{
    free_twice(64 * MIB, wrong);
}

/* Resizes a block; the wrong form resizes `pointer` instead. */
static void
resize_instead(void *pointer, bool wrong)
{
    void *block = malloc(100);

    if (wrong) {
        announce(pointer);
        (void)opaque(realloc(opaque(pointer), 200));
    }
    free(opaque(realloc(block, 200)));
}

static void
resize_global(bool wrong)
{
    resize_instead(global + 16, wrong);
}

static void
resize_wild(bool wrong)
{
    resize_instead((void *)WILD, wrong);
}

static void
resize_inside(bool wrong)
{
    char *block = malloc(20 * KIB);

    resize_instead(block + 4096, wrong);
    free(block);
}

static void
resize_freed(bool wrong)
{
    void *block = malloc(MIB);

    if (wrong) {
        free(block);
    }
    resize_instead(opaque(block), wrong);
    free(block);
}

static void
measure_instead(void *pointer, bool wrong)
{
    void *block = malloc(100);

    if (wrong) {
        announce(pointer);
        EXPECT(malloc_usable_size(opaque(pointer)) != 1);
    }
    EXPECT(malloc_usable_size(block) >= 100);
    free(block);
}

static void
measure_global(bool wrong)
{
    measure_instead(global + 16, wrong);
}

static void
measure_wild(bool wrong)
{
    measure_instead((void *)WILD, wrong);
}

static void
measure_inside(bool wrong)
{
    char *block = malloc(20 * KIB);

    measure_instead(block + 4096, wrong);
    free(block);
}

static const struct mistake {
    const char *name;
    void (*make)(bool wrong);
} mistakes[] = {
    {"free_stack", free_stack},
    {"free_global", free_global},
    {"free_wild", free_wild},
    {"free_foreign", free_foreign},
    {"free_inside_medium", free_inside_medium},
    {"free_inside_large", free_inside_large},
    {"free_inside_huge", free_inside_huge},
    {"free_inside_small", free_inside_small},
    {"free_misaligned", free_misaligned},
    {"free_near_null", free_near_null},
    {"free_kernel_address", free_kernel_address},
    {"free_in_freed_span", free_in_freed_span},
    {"free_after_move", free_after_move},
    {"free_small_twice", free_small_twice},
    {"free_medium_twice", free_medium_twice},
    {"free_large_twice", free_large_twice},
    {"free_huge_twice", free_huge_twice},
    {"resize_global", resize_global},
    {"resize_wild", resize_wild},
    {"resize_inside", resize_inside},
    {"resize_freed", resize_freed},
    {"measure_global", measure_global},
    {"measure_wild", measure_wild},
    {"measure_inside", measure_inside},
};

int
main(int count, char **arguments)
{
    bool wrong = count > 2 && strcmp(arguments[2], "wrong") == 0;

    for (size_t i = 0; count > 1 && i < COUNT_OF(mistakes); i++) {
        if (strcmp(mistakes[i].name, arguments[1]) == 0) {
            mistakes[i].make(wrong);
            return finish();
        }
    }
    say("no such mistake\n");
    return 1;
}
