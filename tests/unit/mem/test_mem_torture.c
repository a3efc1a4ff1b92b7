/* SPDX-License-Identifier: MIT
 *
 * Failure torture: one fixed sequence of work on the whole layer, in which
 * the kernel refuses each call in turn, alone or with all that follow. Every
 * request then succeeds or returns NULL, the audits are silent after every
 * step, the content of blocks is right, and nothing is left at the end.
 *
 * Each refusal has a process of its own, since the first calls of a process
 * (first segment, first leaf, first metadata) are among the tested ones.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/random.h"
#include "mem/directory.h"
#include "mem/segment.h"
#include "mem_test.h"

#define BLOCKS 12
#if defined(RFI_TSAN) || defined(RFI_ASAN)
#define STEPS 60
#else
#define STEPS 150
#endif

/* What a child exits with, when it is not content. */
enum { FINE, BAD_AUDIT, BAD_CONTENT, BAD_FREE, LEFT_OVER, LEFT_SPACE };

typedef struct block {
    char *start;
    size_t size;
    char mark;
} block_t;

typedef struct torture {
    rfi_random_t random;
    block_t blocks[BLOCKS];
    rfi_span_t *spans[BLOCKS];
} torture_t;

static uint32_t
below(torture_t *torture, uint32_t bound)
{
    return rfi_random_below(&torture->random, bound);
}

static void
check(bool right, int verdict)
{
    if (!right) {
        _exit(verdict);
    }
}

/* The first and last kilobyte stand for the block, and so do some bytes
 * between them for dirty memory. */
static bool
is_marked(const block_t *block)
{
    return is_all(block->start, 1 * KIB, block->mark)
        && is_all(block->start + block->size - 1 * KIB, 1 * KIB,
                  block->mark);
}

static void
mark(block_t *block, char value)
{
    block->mark = value;
    memset(block->start, value, 1 * KIB);
    memset(block->start + block->size - 1 * KIB, value, 1 * KIB);
    for (size_t i = 0; i + 1 * KIB < block->size; i += 256 * KIB) {
        block->start[i] = value;
    }
}

static size_t
random_size(torture_t *torture)
{
    if (below(torture, 10) == 0) {
        return (16 + below(torture, 4)) * MIB;
    }
    return (65 + below(torture, 1000)) * KIB;
}

/* Looks where mark() writes, and between. */
static bool
is_zero(const block_t *block)
{
    for (size_t i = 0; i < block->size; i += 16 * KIB) {
        if (block->start[i] != 0) {
            return false;
        }
    }
    return true;
}

static void
new_block(torture_t *torture, block_t *block)
{
    bool zeroed = below(torture, 3) == 0;
    size_t align = (size_t)16 << below(torture, 16);

    block->size = random_size(torture);
    block->start = rfi_large_alloc(block->size, align, zeroed);
    if (block->start != NULL) {
        check(!zeroed || is_zero(block), BAD_CONTENT);
        check((uintptr_t)block->start % align == 0, BAD_CONTENT);
        mark(block, (char)below(torture, 100));
    }
}

static void
free_block(block_t *block)
{
    check(is_marked(block), BAD_CONTENT);
    check(rfi_large_free(rfi_directory_find_head(block->start)), BAD_FREE);
    block->start = NULL;
}

static void
resize_block(torture_t *torture, block_t *block)
{
    size_t size = random_size(torture);
    char *moved =
        rfi_large_resize(rfi_directory_find_head(block->start), size);

    if (moved == NULL) {
        check(is_marked(block), BAD_CONTENT);
        return;
    }
    check(is_all(moved, 1 * KIB, block->mark), BAD_CONTENT);
    block->start = moved;
    block->size = size;
    mark(block, block->mark);
}

static void
work_on_span(torture_t *torture, rfi_span_t **span)
{
    uint32_t count = 1 + below(torture, 40);
    bool zero;

    if (*span == NULL) {
        *span = rfi_granule_take(count, 1, RFI_SPAN_SMALL);
    } else if (count > (*span)->granules) {
        if (rfi_granule_grow(*span, count, &zero) && !zero) {
            (*span)->flags = 0;
        }
    } else if (count < (*span)->granules && below(torture, 2) == 0) {
        rfi_granule_shrink(*span, count);
    } else {
        /* Nobody writes to these spans. */
        rfi_granule_give(*span, (*span)->flags == RFI_SPAN_ZERO);
        *span = NULL;
    }
}

static void
step(torture_t *torture)
{
    uint32_t i = below(torture, BLOCKS);
    block_t *block = &torture->blocks[i];
    uint32_t choice = below(torture, 16);

    if (choice == 0) {
        (void)rfi_granule_purge(0, true);
    } else if (choice == 1) {
        (void)rfi_huge_purge(0, true);
    } else if (choice < 7) {
        work_on_span(torture, &torture->spans[i]);
    } else if (block->start == NULL) {
        new_block(torture, block);
    } else if (choice < 11) {
        resize_block(torture, block);
    } else {
        free_block(block);
    }
    check(rfi_granule_audit() == 0 && rfi_huge_audit() == 0, BAD_AUDIT);
}

static size_t
address_space(void)
{
    unsigned long pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");

    if (file == NULL || fscanf(file, "%lu", &pages) != 1) {
        abort();
    }
    fclose(file);
    return pages * (size_t)sysconf(_SC_PAGESIZE);
}

static void
clean_up(torture_t *torture)
{
    rfi_granule_stats_t granules;
    rfi_large_stats_t large;

    for (int i = 0; i < BLOCKS; i++) {
        if (torture->blocks[i].start != NULL) {
            free_block(&torture->blocks[i]);
        }
        if (torture->spans[i] != NULL) {
            rfi_granule_give(torture->spans[i], false);
        }
    }
    (void)rfi_huge_purge(0, true);
    (void)rfi_granule_purge(0, true);
    check(rfi_granule_audit() == 0 && rfi_huge_audit() == 0, BAD_AUDIT);
    rfi_granule_stats(&granules);
    rfi_large_stats(&large);
    check(granules.used_bytes == 0 && granules.dirty_bytes == 0
              && granules.segments <= 1 && granules.mapped_bytes <= 64 * MIB
              && large.large_blocks == 0 && large.large_bytes == 0
              && large.huge_blocks == 0 && large.huge_bytes == 0
              && large.huge_cached_bytes == 0,
          LEFT_OVER);
}

/* Returns the number of calls that the kernel saw. */
static uint64_t
torment(uint64_t first, uint64_t count)
{
    static torture_t torture;
    const uint8_t key[RFI_RANDOM_KEY_BYTES] = {42};
    size_t before = address_space();

    rfi_random_seed(&torture.random, key);
    rfi_fail_arm(first, count);
    for (int i = 0; i < STEPS; i++) {
        step(&torture);
    }
    uint64_t calls = rfi_fail_calls();

    never_fail();
    clean_up(&torture);
    /* The first segment, leaves, metadata, and a cut that was refused. */
    check(address_space() < before + 80 * MIB, LEFT_SPACE);
    return calls;
}

/* Runs it in a child; the number of calls comes back through a pipe. */
static uint64_t
torment_in_child(uint64_t first, uint64_t count)
{
    int ends[2];
    uint64_t calls = 0;

    assert_int_equal(pipe(ends), 0);
    pid_t child = fork();

    if (child == 0) {
        calls = torment(first, count);
        _exit(write(ends[1], &calls, sizeof(calls)) == sizeof(calls) ? FINE
                                                                     : 99);
    }
    close(ends[1]);
    ssize_t got = read(ends[0], &calls, sizeof(calls));
    int status;

    close(ends[0]);
    assert_int_equal(waitpid(child, &status, 0), child);
    if (status != 0) {
        print_error("call %lu, %s: status %#x\n", (unsigned long)first,
                    count == 1 ? "alone" : "and all after it",
                    (unsigned)status);
    }
    assert_int_equal(status, 0);
    assert_int_equal(got, sizeof(calls));
    return calls;
}

static void
torment_with_each_failure(int overcommit)
{
    rfi_segment_overcommit = overcommit;
    uint64_t calls = torment_in_child(UINT64_MAX, 1);

    assert_true(calls > STEPS / 6);
    for (uint64_t first = 1; first <= calls; first++) {
        (void)torment_in_child(first, 1);
        if (first % 4 == 1) {
            (void)torment_in_child(first, FOR_EVER);
        }
    }
}

static void
survives_any_failure(void **state)
{
    (void)state;
    torment_with_each_failure(0);
}

static void
survives_any_failure_when_strict(void **state)
{
    (void)state;
    torment_with_each_failure(2);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(survives_any_failure),
        cmocka_unit_test(survives_any_failure_when_strict),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
