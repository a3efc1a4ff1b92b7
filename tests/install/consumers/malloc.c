/* SPDX-License-Identifier: MIT
 *
 * A C program whose malloc is ringfence's. Blocks come from the program, from
 * inside libc and from a second thread; rf_usable_size() refuses any that is
 * not ringfence's by ending the process.
 */
#include <pthread.h>
#include <ringfence/alloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *
allocate(void *unused)
{
    (void)unused;
    return calloc(3, 1000);
}

static int
is_ours(void *block, size_t size)
{
    int ours = block != NULL && rf_usable_size(block) >= size;

    free(block);
    return ours;
}

int
main(void)
{
    pthread_t thread;
    void *from_thread = NULL;
    int ok = is_ours(malloc(100), 100) && is_ours(strdup("libc's"), 7) &&
             is_ours(realloc(malloc(10), 100000), 100000) &&
             is_ours(aligned_alloc(64, 128), 128);

    if (pthread_create(&thread, NULL, allocate, NULL) == 0) {
        pthread_join(thread, &from_thread);
    }
    ok = ok && is_ours(from_thread, 3000);
    puts(ok ? "OK" : "FAILED");
    return ok ? EXIT_SUCCESS : EXIT_FAILURE;
}
