/* SPDX-License-Identifier: MIT
 *
 * Runs a program to its end and says how long it took, how much memory it
 * had, and how it ended.
 */
#ifndef RINGFENCE_TOOL_CHILD_H
#define RINGFENCE_TOOL_CHILD_H

#include <sys/types.h>

typedef struct child {
    pid_t pid;
    int output_fd, messages_fd; /* files in memory: nothing can block */
    double started;
} child_t;

typedef struct child_result {
    double seconds; /* from before fork until it was waited for */
    long peak_kib;  /* the largest of it and the children it waited for */
    char *error;    /* NULL, or why this run does not count */
    char *output;   /* stdout */
    char *messages; /* stderr */
} child_result_t;

/* In the child: sets the environment and calls exec. */
typedef void child_become_t(void *argument);

child_t child_start(child_become_t *become, void *argument);

/* Waits for the end; kills the child and all its descendants after `limit`
 * seconds. An exit status other than 0 is an error. */
child_result_t child_wait(child_t *child, double limit);

/* Both of the above. */
child_result_t child_run(child_become_t *become, void *argument, double limit);
void child_free(child_result_t *result);

/* Seconds of a clock that never goes back. */
double child_clock(void);

#endif
