/* SPDX-License-Identifier: MIT
 *
 * Case 37: no standard descriptors, no descriptor to be had at all, and, when
 * the runner can arrange it, no /proc and no /sys. The result goes to a copy
 * of stdout with a high number; the library must neither need nor keep a
 * descriptor of its own.
 */
#include <sys/resource.h>
#include <sys/wait.h>

#include "case.h"

#define RESULT 200

static void *
use_heap(void *argument)
{
    (void)argument;
    for (size_t i = 1; i <= 2000; i++) {
        void *block = malloc(i * 37);

        if (block == NULL) {
            _exit(3);
        }
        memset(block, 1, i * 37);
        free(block);
    }
    return NULL;
}

static void
close_everything(void)
{
    struct rlimit none = {0, 0};

    if (dup2(STDOUT_FILENO, RESULT) != RESULT) {
        _exit(4);
    }
    for (int file = 0; file < RESULT; file++) {
        (void)close(file);
    }
    if (setrlimit(RLIMIT_NOFILE, &none) != 0) {
        _exit(5);
    }
}

static void
use_in_child(void)
{
    int status = 1;
    pid_t child = fork();

    if (child == 0) {
        (void)use_heap(NULL);
        _exit(0);
    }
    if (waitpid(child, &status, 0) != child || status != 0) {
        _exit(6);
    }
}

static bool
has_open_file(void)
{
    for (int file = 0; file < RESULT; file++) {
        if (fcntl(file, F_GETFD) >= 0) {
            return true;
        }
    }
    return false;
}

int
main(void)
{
    pthread_t thread;

    close_everything();
    (void)use_heap(NULL);
    if (pthread_create(&thread, NULL, use_heap, NULL) != 0) {
        _exit(7);
    }
    (void)pthread_join(thread, NULL);
    use_in_child();
    if (has_open_file()) {
        _exit(8);
    }
    return write(RESULT, "OK\n", 3) == 3 ? 0 : 9;
}
