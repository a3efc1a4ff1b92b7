/* SPDX-License-Identifier: MIT
 *
 * Case 18: a small RLIMIT_AS or RLIMIT_DATA, set by the runner. The program
 * takes 1 MiB blocks until there are no more, expects NULL with ENOMEM and
 * nothing else, frees them and can allocate again, also in a thread. Takes
 * the megabytes that must at least be had (argument 1) and how many are
 * enough (argument 2).
 */
#include <errno.h>

#include "case.h"

#define MOST 16384

static char *blocks[MOST];

static size_t
take_all(size_t enough)
{
    size_t count = 0;

    while (count < enough) {
        errno = 0;
        blocks[count] = malloc(MIB);
        if (blocks[count] == NULL) {
            EXPECT(errno == ENOMEM);
            break;
        }
        blocks[count][0] = 1;
        blocks[count][MIB - 1] = 1;
        count++;
    }
    return count;
}

static void
use_small_blocks(void)
{
    void *small[1000];
    uint64_t state = 3;

    for (size_t i = 0; i < COUNT_OF(small); i++) {
        small[i] = malloc(random_size(&state, 2000));
        EXPECT(small[i] != NULL);
    }
    for (size_t i = 0; i < COUNT_OF(small); i++) {
        free(small[i]);
    }
}

static void *
use_in_thread(void *argument)
{
    (void)argument;
    use_small_blocks();
    return NULL;
}

static void
run_thread(void)
{
    pthread_attr_t attributes;
    pthread_t thread;

    EXPECT(pthread_attr_init(&attributes) == 0);
    EXPECT(pthread_attr_setstacksize(&attributes, 256 * KIB) == 0);
    EXPECT(pthread_create(&thread, &attributes, use_in_thread, NULL) == 0);
    join_thread(thread);
}

int
main(int count, char **arguments)
{
    long least = count > 1 ? atol(arguments[1]) : 40;
    size_t enough = count > 2 ? (size_t)atol(arguments[2]) : MOST;
    size_t taken;

    for (int round = 0; round < 3; round++) {
        taken = take_all(enough);
        EXPECT_AT_MOST(least, taken);
        for (size_t i = 0; i < taken; i++) {
            free(blocks[i]);
        }
        free(opaque(malloc(8 * MIB)));
        EXPECT((blocks[0] = malloc(8 * MIB)) != NULL);
        blocks[0][8 * MIB - 1] = 1;
        free(blocks[0]);
        use_small_blocks();
        run_thread();
    }
    return finish();
}
