/* SPDX-License-Identifier: MIT
 *
 * What a program pays before main: `true`, started again and again with the
 * environment of this process, and so under the same preloaded library.
 */
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "workload.h"

static void
start_true(void)
{
    static char name[] = "true";
    char *const arguments[] = {name, NULL};
    pid_t child;
    int status;

    if (posix_spawnp(&child, name, NULL, NULL, arguments, environ) != 0 ||
        waitpid(child, &status, 0) != child || status != 0) {
        fputs("ringfence-workloads: cannot run true\n", stderr);
        exit(1);
    }
}

void
workload_start_up(const workload_args_t *args, workload_result_t *result)
{
    const uint64_t starts = workload_scaled(args, 300);
    for (uint64_t i = 0; i < starts; i++) {
        start_true();
    }
    result->operations = starts;
}
