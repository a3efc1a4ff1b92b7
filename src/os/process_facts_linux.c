/* SPDX-License-Identifier: MIT
 *
 * What the process was started with: environment, privileges, name, and the
 * system's overcommit policy. Asked while the library starts, by one thread.
 */
#include "os/process.h"

#include <unistd.h>

#include "os/auxiliary.h"

#define ENVIRONMENT_CAPACITY (32 * 1024)

/* The environment as the kernel keeps it, when libc's is not there yet:
 * NAME=VALUE strings, each ended by a NUL. */
static char environment[ENVIRONMENT_CAPACITY];
static long environment_count = -1; /* bytes; -1 before the first look */

/* The value in a string NAME=VALUE if it has this name, else NULL. */
static const char *
value_of(const char *entry, const char *name)
{
    while (*name != '\0' && *entry == *name) {
        entry++;
        name++;
    }
    return *name == '\0' && *entry == '=' ? entry + 1 : NULL;
}

static const char *
find_in_kernel_copy(const char *name)
{
    if (environment_count < 0) {
        environment_count = rfi_process_read_file(
            "/proc/self/environ", environment, sizeof(environment));
        if (environment_count < 0) {
            environment_count = 0;
        }
    }
    const char *end = environment + environment_count;
    const char *value = NULL;

    for (const char *entry = environment; entry < end && value == NULL;
         entry += __builtin_strlen(entry) + 1) {
        value = value_of(entry, name);
    }
    return value;
}

const char *
rfi_process_environment(const char *name)
{
    if (environ == NULL) {
        return find_in_kernel_copy(name);
    }
    const char *value = NULL;

    for (char **entry = environ; *entry != NULL && value == NULL; entry++) {
        value = value_of(*entry, name);
    }
    return value;
}

bool
rfi_process_environment_is_cut(void)
{
    return environment_count == ENVIRONMENT_CAPACITY - 1;
}

bool
rfi_process_is_secure(void)
{
    return rfi_auxiliary_value(AT_SECURE) != 0;
}

const char *
rfi_process_executable(void)
{
    const char *path = (const char *)rfi_auxiliary_value(AT_EXECFN);

    return path == NULL ? "" : path;
}

int
rfi_process_overcommit(void)
{
    char text[16];
    long count = rfi_process_read_file("/proc/sys/vm/overcommit_memory", text,
                                       sizeof(text));

    return count > 0 && text[0] >= '0' && text[0] <= '2' ? text[0] - '0' : 0;
}
