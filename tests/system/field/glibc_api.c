/* SPDX-License-Identifier: MIT
 *
 * Case 32: the functions beside the allocating ones that programs read and
 * tune a heap with: mallinfo, mallinfo2, malloc_info, malloc_trim, mallopt,
 * malloc_stats.
 */
#include <malloc.h>

#include "case.h"

#define SMALL_BYTES 512
#define SMALL_COUNT (100 * MIB / SMALL_BYTES)

static size_t
used_bytes(void)
{
    struct mallinfo2 info = mallinfo2();

    return info.uordblks + info.hblkhd;
}

static void
check_mallinfo(void)
{
    size_t before = used_bytes();
    size_t during;
    void *blocks[1024];

    for (size_t i = 0; i < COUNT_OF(blocks); i++) {
        blocks[i] = malloc(1024);
        EXPECT(blocks[i] != NULL);
    }
    during = used_bytes();
    EXPECT(during >= before + MIB);
    for (size_t i = 0; i < COUNT_OF(blocks); i++) {
        free(blocks[i]);
    }
    EXPECT(used_bytes() < during - MIB / 2);
}

/* More than int can count: the old mallinfo wraps, but is never negative
 * here, and mallinfo2 is exact enough. */
static void
check_five_gib(void)
{
    struct mallinfo2 before = mallinfo2();
    void *block = malloc(5 * GIB);
    struct mallinfo2 info = mallinfo2();

    EXPECT(block != NULL);
    EXPECT(info.uordblks + info.hblkhd >=
           before.uordblks + before.hblkhd + 5 * GIB);
    EXPECT(info.arena + info.hblkhd < 64 * GIB);
    EXPECT(info.fordblks < 64 * GIB);
    free(block);
}

static void
check_malloc_info(void)
{
    char *text = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&text, &size);

    EXPECT(malloc_info(0, stream) == 0);
    EXPECT(fflush(stream) == 0);
    EXPECT(strncmp(text, "<malloc", 7) == 0);
    EXPECT(strstr(text, "</malloc>") != NULL);
    EXPECT(fclose(stream) == 0);
    free(text);
    stream = open_memstream(&text, &size);
    EXPECT(malloc_info(1, stream) != 0);
    EXPECT(fclose(stream) == 0 && size == 0);
    free(text);
}

static void
check_malloc_trim(void)
{
    static void *blocks[SMALL_COUNT];
    long peak;

    for (size_t i = 0; i < SMALL_COUNT; i++) {
        blocks[i] = malloc(SMALL_BYTES);
        memset(blocks[i], 1, SMALL_BYTES);
    }
    peak = rss_kib();
    for (size_t i = 0; i < SMALL_COUNT; i++) {
        free(blocks[i]);
    }
    EXPECT(malloc_trim(0) == 0 || rss_kib() < peak);
    EXPECT_AT_MOST(rss_kib(), peak - 80 * 1024);
}

static void
check_mallopt(void)
{
    const int parameters[] = {M_MMAP_THRESHOLD, M_TRIM_THRESHOLD,
                              M_MMAP_MAX, M_ARENA_MAX, M_PERTURB};

    for (size_t i = 0; i < COUNT_OF(parameters); i++) {
        int answer = mallopt(parameters[i], 0);

        EXPECT(answer == 0 || answer == 1);
    }
    free(opaque(malloc(100)));
}

/* The old interface; its fields are of type int. */
static void
check_old_mallinfo(void)
{
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
    struct mallinfo info = mallinfo();
#pragma GCC diagnostic pop

    EXPECT(info.uordblks >= 0 && info.fordblks >= 0 && info.arena >= 0);
}

/* malloc_stats prints, and only when it is called. */
static void
check_malloc_stats(void)
{
    int ends[2];
    char text[16];
    int standard = dup(STDERR_FILENO);

    EXPECT(pipe(ends) == 0 && standard >= 0);
    EXPECT(dup2(ends[1], STDERR_FILENO) == STDERR_FILENO);
    malloc_stats();
    EXPECT(dup2(standard, STDERR_FILENO) == STDERR_FILENO);
    (void)close(ends[1]);
    EXPECT(read(ends[0], text, sizeof(text)) > 0);
    (void)close(ends[0]);
    (void)close(standard);
}

int
main(void)
{
    check_mallinfo();
    check_five_gib();
    check_malloc_info();
    check_malloc_trim();
    check_old_mallinfo();
    check_malloc_stats();
    check_mallopt();
    return finish();
}
