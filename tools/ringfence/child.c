/* SPDX-License-Identifier: MIT
 *
 * Children and their resource usage. fork, not vfork: the kernel counts the
 * memory of the process image that called exec as the new program's, and a
 * fork's is the smaller one.
 */
#include "child.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/pidfd.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "say.h"

double
child_clock(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static void
set_up_and_exec(const child_t *child, child_become_t *become, void *argument)
{
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    close(STDIN_FILENO);
    if (open("/dev/null", O_RDONLY) == STDIN_FILENO &&
        dup2(child->output_fd, STDOUT_FILENO) >= 0 &&
        dup2(child->messages_fd, STDERR_FILENO) >= 0) {
        become(argument);
        fprintf(stderr, "cannot run: %s\n", strerror(errno));
    }
    _exit(127);
}

child_t
child_start(child_become_t *become, void *argument)
{
    child_t child = {
        .output_fd = memfd_create("stdout", MFD_CLOEXEC),
        .messages_fd = memfd_create("stderr", MFD_CLOEXEC),
    };
    if (child.output_fd < 0 || child.messages_fd < 0) {
        say_error("memfd_create: %s", strerror(errno));
        exit(1);
    }
    fflush(NULL);
    child.started = child_clock();
    child.pid = fork();
    if (child.pid < 0) {
        say_error("fork: %s", strerror(errno));
        exit(1);
    }
    if (child.pid == 0) {
        set_up_and_exec(&child, become, argument);
    }
    setpgid(child.pid, child.pid);
    return child;
}

/* The whole of a file in memory, as a string; closes it. */
static char *
read_all(int fd)
{
    struct stat file;
    size_t size = fstat(fd, &file) == 0 ? (size_t)file.st_size : 0;
    char *text = memory_check(malloc(size + 1));
    const ssize_t got = pread(fd, text, size, 0);
    text[got > 0 ? got : 0] = '\0';
    close(fd);
    return text;
}

/* False when the time is over. */
static bool
wait_readable(pid_t pid, double limit)
{
    struct pollfd ended = {.fd = pidfd_open(pid, 0), .events = POLLIN};
    int ready;
    if (ended.fd < 0) {
        return true;
    }
    do {
        ready = poll(&ended, 1, (int)(limit * 1000));
    } while (ready < 0 && errno == EINTR);
    close(ended.fd);
    return ready != 0;
}

static char *
describe_end(int status, bool in_time, double limit)
{
    if (!in_time) {
        return text_format("killed after %.0f s", limit);
    }
    if (WIFSIGNALED(status)) {
        return text_format("died of signal %d (%s)", WTERMSIG(status),
                           strsignal(WTERMSIG(status)));
    }
    if (WEXITSTATUS(status) != 0) {
        return text_format("exit status %d", WEXITSTATUS(status));
    }
    return NULL;
}

child_result_t
child_wait(child_t *child, double limit)
{
    child_result_t result = {0};
    struct rusage usage = {0};
    int status = 0;
    const bool in_time = wait_readable(child->pid, limit);

    if (!in_time) {
        kill(-child->pid, SIGKILL);
    }
    while (wait4(child->pid, &status, 0, &usage) < 0 && errno == EINTR) {
    }
    result.seconds = child_clock() - child->started;
    result.peak_kib = usage.ru_maxrss;
    result.error = describe_end(status, in_time, limit);
    result.output = read_all(child->output_fd);
    result.messages = read_all(child->messages_fd);
    return result;
}

child_result_t
child_run(child_become_t *become, void *argument, double limit)
{
    child_t child = child_start(become, argument);
    return child_wait(&child, limit);
}

void
child_free(child_result_t *result)
{
    free(result->error);
    free(result->output);
    free(result->messages);
}
