/* SPDX-License-Identifier: MIT
 *
 * fork, a pipe for stderr, waitpid. No core dumps: children die on purpose;
 * and no signal handlers: cmocka's would turn a crash into a failed test.
 */
#include "support/child.h"

#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static void
fail(const char *what)
{
    perror(what);
    exit(EXIT_FAILURE);
}

static void
collect(child_t *child, int fd, pid_t process)
{
    char rest[1024];
    int status;

    child->count = 0;
    for (;;) {
        size_t room = sizeof(child->text) - 1 - child->count;
        ssize_t got = room != 0 ? read(fd, child->text + child->count, room)
                                : read(fd, rest, sizeof(rest));
        if (got <= 0) {
            break;
        }
        child->count += room != 0 ? (size_t)got : 0;
    }
    child->text[child->count] = '\0';
    if (waitpid(process, &status, 0) != process) {
        fail("waitpid");
    }
    child->exit_status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    child->signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
}

/* In the child returns 0, in the parent the child's process id. */
static pid_t
start(int *read_end)
{
    int ends[2];

    fflush(NULL);
    if (pipe(ends) != 0) {
        fail("pipe");
    }
    pid_t process = fork();

    if (process < 0) {
        fail("fork");
    }
    if (process == 0) {
        for (int number = 1; number < NSIG; number++) {
            signal(number, SIG_DFL);
        }
        setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
        dup2(ends[1], STDERR_FILENO);
        close(ends[0]);
    }
    close(ends[1]);
    *read_end = ends[0];
    return process;
}

void
child_run(child_t *child, void (*body)(void *argument), void *argument)
{
    int read_end;
    pid_t process = start(&read_end);

    if (process == 0) {
        body(argument);
        _exit(0);
    }
    collect(child, read_end, process);
    close(read_end);
}

void
child_become(const char *const arguments[], const char *const environment[])
{
    execve(arguments[0], (char *const *)(uintptr_t)arguments,
           (char *const *)(uintptr_t)environment);
}

void
child_execute(child_t *child, const char *const arguments[],
              const char *const environment[])
{
    int read_end;
    pid_t process = start(&read_end);

    if (process == 0) {
        child_become(arguments, environment);
        _exit(127);
    }
    collect(child, read_end, process);
    close(read_end);
}
