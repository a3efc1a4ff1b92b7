/* SPDX-License-Identifier: MIT
 *
 * A set-uid copy lives in a directory of its own, for the time of one call.
 */
#include "support/self.h"

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#define NOBODY 65534

typedef struct execution {
    const char *arguments[3];
    const char *const *environment;
} execution_t;

const char *
self_path(void)
{
    static char path[PATH_MAX];
    ssize_t count = readlink("/proc/self/exe", path, sizeof(path) - 1);

    path[count > 0 ? count : 0] = '\0';
    return path;
}

static bool
copy_set_uid(const char *path)
{
    int from = open(self_path(), O_RDONLY | O_CLOEXEC);
    int to = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0700);
    struct stat facts;
    bool copied = from >= 0 && to >= 0 && fstat(from, &facts) == 0;

    while (copied && facts.st_size > 0) {
        ssize_t count = sendfile(to, from, NULL, (size_t)facts.st_size);

        copied = count > 0;
        facts.st_size -= count;
    }
    copied = copied && fchmod(to, 04755) == 0;
    close(from);
    close(to);
    return copied;
}

static void
execute_as_nobody(void *argument)
{
    const execution_t *execution = argument;

    if (setgid(NOBODY) == 0 && setuid(NOBODY) == 0) {
        child_become(execution->arguments, execution->environment);
    }
    _exit(127);
}

bool
self_execute_set_uid(child_t *child, const char *argument,
                     const char *const environment[])
{
    char directory[] = "/tmp/ringfence-test-XXXXXX";
    char path[64];
    struct statvfs facts;
    bool done = false;

    if (geteuid() != 0 || mkdtemp(directory) == NULL) {
        return false;
    }
    snprintf(path, sizeof(path), "%s/self", directory);
    if (chmod(directory, 0755) == 0 && copy_set_uid(path) &&
        statvfs(path, &facts) == 0 && (facts.f_flag & ST_NOSUID) == 0) {
        execution_t execution = {{path, argument, NULL}, environment};

        child_run(child, execute_as_nobody, &execution);
        done = true;
    }
    unlink(path);
    rmdir(directory);
    return done;
}
