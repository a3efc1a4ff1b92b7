/* SPDX-License-Identifier: MIT
 *
 * Case 45: growing one block must not copy it again and again. Doubling to
 * 256 MiB, steps of 64 KiB to 256 MiB, and two blocks that grow in turn; the
 * content is checked. The processor time allowed is generous: copying at
 * every step would take ten times as much.
 */
#include "case.h"

#define TOP (256 * MIB)
#define STEP (64 * KIB)
#define STEP_MS 3000

static char *
grow(char *block, size_t old, size_t size)
{
    block = realloc(block, size);
    EXPECT(block != NULL);
    for (size_t at = old & ~(size_t)4095; at < size; at += 4096) {
        if (at >= old) {
            block[at] = (char)(at >> 12);
        }
    }
    return block;
}

static void
check_content(const char *block, size_t size)
{
    for (size_t at = 0; at < size; at += 4096) {
        if (block[at] != (char)(at >> 12)) {
            fail_case(__FILE__, __LINE__, "content is kept");
        }
    }
}

static void
double_it(void)
{
    char *block = NULL;
    size_t old = 0;

    for (size_t size = 4; size <= TOP; size *= 2) {
        block = grow(block, old, size);
        old = size;
    }
    check_content(block, old);
    free(block);
}

static void
step_up(int block_count)
{
    char *blocks[2] = {NULL, NULL};
    size_t top = TOP / (size_t)block_count;
    clock_t start = clock();

    for (size_t size = STEP; size <= top; size += STEP) {
        for (int i = 0; i < block_count; i++) {
            blocks[i] = grow(blocks[i], size - STEP, size);
        }
    }
    EXPECT_AT_MOST((clock() - start) * 1000 / CLOCKS_PER_SEC, STEP_MS);
    for (int i = 0; i < block_count; i++) {
        check_content(blocks[i], top);
        free(blocks[i]);
    }
}

int
main(void)
{
    size_t rounds = scaled(8, 2);

    for (size_t i = 0; i < rounds; i++) {
        double_it();
    }
    step_up(1);
    step_up(2);
    return finish();
}
