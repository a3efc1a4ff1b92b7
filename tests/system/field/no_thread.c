/* SPDX-License-Identifier: MIT
 *
 * Case 38: the library starts no thread of its own. A program with one
 * thread still has one after heavy work, and after it made itself a daemon
 * by forking twice it gives 200 MB back all the same.
 */
#include <dirent.h>
#include <sys/wait.h>

#include "case.h"

#define BLOCKS 800
#define BLOCK_BYTES (256 * KIB)

static void *blocks[BLOCKS];

static int
thread_count(void)
{
    DIR *directory = opendir("/proc/self/task");
    struct dirent *entry;
    int count = 0;

    EXPECT(directory != NULL);
    while ((entry = readdir(directory)) != NULL) {
        count += entry->d_name[0] != '.';
    }
    (void)closedir(directory);
    return count;
}

static void
free_as_daemon(void)
{
    for (size_t i = 0; i < BLOCKS; i++) {
        free(blocks[i]);
    }
    for (int i = 0; i < 30; i++) {
        sleep_ms(100);
        free(opaque(malloc(10 * KIB)));
    }
    EXPECT(thread_count() == 1);
    EXPECT_AT_MOST(rss_kib(), 40 * 1024);
}

/* Runs `body` in a process whose parent is gone, and waits for it through a
 * pipe that only it holds open. */
static void
run_as_daemon(void (*body)(void))
{
    int ends[2];
    char verdict = 'n';
    pid_t child;

    EXPECT(pipe(ends) == 0);
    child = fork();
    EXPECT(child >= 0);
    if (child == 0) {
        if (fork() != 0) {
            _exit(0);
        }
        body();
        _exit(write(ends[1], "y", 1) == 1 ? 0 : 1);
    }
    (void)close(ends[1]);
    EXPECT(waitpid(child, NULL, 0) == child);
    EXPECT(read(ends[0], &verdict, 1) == 1 && verdict == 'y');
}

int
main(void)
{
    for (size_t i = 0; i < BLOCKS; i++) {
        blocks[i] = malloc(BLOCK_BYTES);
        EXPECT(blocks[i] != NULL);
        memset(blocks[i], 1, BLOCK_BYTES);
    }
    EXPECT(thread_count() == 1);
    run_as_daemon(free_as_daemon);
    return finish();
}
