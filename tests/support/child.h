/* SPDX-License-Identifier: MIT
 *
 * Runs something that may crash, abort or exit in a child process and keeps
 * how it ended together with what it wrote to stderr. A test judges all three:
 * exit status, signal and text.
 */
#ifndef RINGFENCE_TESTS_SUPPORT_CHILD_H
#define RINGFENCE_TESTS_SUPPORT_CHILD_H

#include <stddef.h>

typedef struct child {
    int exit_status;  /* -1 when ended by a signal */
    int signal;       /* 0 when it exited */
    size_t count;     /* bytes of text */
    char text[16384]; /* what went to stderr, NUL-terminated, cut to fit */
} child_t;

/* Forks and runs body(argument) in the child; returning is exit status 0. */
void child_run(child_t *child, void (*body)(void *argument), void *argument);

/* Forks and executes the program; both vectors end with NULL. Exit status 127
 * when it cannot be executed. */
void child_execute(child_t *child, const char *const arguments[],
                   const char *const environment[]);

/* Becomes the program; returns only when it cannot. execve(2) takes pointers
 * that are not const for historical reasons; this takes both as they are. */
void child_become(const char *const arguments[],
                  const char *const environment[]);

#endif
