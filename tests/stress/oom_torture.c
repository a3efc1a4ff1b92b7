/* SPDX-License-Identifier: MIT
 *
 * Lets the first call to the kernel for memory fail, then the second, and so
 * on until a run needs no more; first only that call, then it and all that
 * follow. Each run is a process of its own, so that the start of the library
 * is tortured too. Whatever fails returns NULL with ENOMEM, changes nothing,
 * and leaves a heap that audits well and serves again.
 *
 *   oom_torture [MOST CALLS]
 */
#include <errno.h>
#include <stdbool.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "os/fail.h"
#include "ringfence/alloc.h"
#include "stress.h"

#define BLOCKS 200
#define FAILED 3 /* exit status: some call to the kernel was refused */

static char *blocks[BLOCKS];

static void *
checked(void *block)
{
    REQUIRE(block != NULL || errno == ENOMEM);
    errno = 0;
    return block;
}

static void
resize_some(void)
{
    for (unsigned i = 0; i < BLOCKS; i += 3) {
        if (blocks[i] == NULL) {
            continue;
        }
        memcpy(blocks[i], "content", 8);
        char *moved = checked(rf_realloc(blocks[i], 40 + i * 700));

        if (moved != NULL) {
            blocks[i] = moved;
        }
        REQUIRE(memcmp(blocks[i], "content", 8) == 0);
    }
}

static void
allocate_some(void)
{
    for (unsigned i = 0; i < BLOCKS; i++) {
        switch (i % 4) {
        case 0:
            blocks[i] = checked(rf_malloc(16 + i * 13));
            break;
        case 1:
            blocks[i] = checked(rf_calloc(i, 301));
            break;
        case 2:
            blocks[i] = checked(rf_aligned_alloc((size_t)16 << i % 9, i * 99));
            break;
        default:
            blocks[i] = checked(rf_malloc(i % 50 == 3 ? (size_t)20 << 20
                                                      : 60000 + i * 100));
            break;
        }
    }
}

static void
free_all(void)
{
    for (unsigned i = 0; i < BLOCKS; i++) {
        rf_free(blocks[i]);
        blocks[i] = NULL;
    }
}

static int
run(uint64_t first, uint64_t count)
{
    alarm(60);
    rfi_fail_arm(first, count);
    errno = 0;
    allocate_some();
    resize_some();
    stress_audit();
    free_all();
    rf_trim(0);
    bool failed = rfi_fail_calls() >= first;

    rfi_fail_arm(0, 0);
    stress_audit();
    allocate_some();
    for (unsigned i = 0; i < BLOCKS; i++) {
        REQUIRE(blocks[i] != NULL);
    }
    free_all();
    stress_audit();
    return failed ? FAILED : 0;
}

/* False when no call was refused: the run makes fewer than `first`. */
static bool
torture(uint64_t first, uint64_t count)
{
    int status = -1;
    pid_t child = fork();

    REQUIRE(child >= 0);
    if (child == 0) {
        _exit(run(first, count));
    }
    REQUIRE(waitpid(child, &status, 0) == child);
    REQUIRE(WIFEXITED(status));
    REQUIRE(WEXITSTATUS(status) == 0 || WEXITSTATUS(status) == FAILED);
    return WEXITSTATUS(status) == FAILED;
}

int
main(int count, char **arguments)
{
    unsigned most = stress_amount(count, arguments, 200);
    unsigned first = 1;

    while (first <= most && torture(first, 1)
           && torture(first, UINT64_MAX - first)) {
        first++;
    }
    REQUIRE(first > 3);
    printf("%u calls refused, one by one and for good\n", first - 1);
    return 0;
}
