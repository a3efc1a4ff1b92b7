/* SPDX-License-Identifier: MIT
 *
 * Case 3: stands for torsocks, libfaketime, Onload and their like. It hooks
 * what an allocator may be tempted to call while it starts, and looks up the
 * real function on first use: first a name that does not exist, so that
 * dlerror() allocates its text, then the next one in the search order. An
 * allocator that goes through any of these while it is not ready recurses
 * without end or waits for its own lock.
 */
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <stdarg.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

/* Stores the next definition of `name` in *function. */
static void
look_up(const char *name, void **function)
{
    if (*function == NULL) {
        (void)dlsym(RTLD_NEXT, "ringfence_no_such_function");
        (void)dlerror();
        *function = dlsym(RTLD_NEXT, name);
    }
}

/* Defines `name` to look the real one up and to call it. */
#define HOOK(result, name, parameters, arguments)     \
    result name parameters;                           \
    result name parameters                            \
    {                                                 \
        static void *next;                            \
        look_up(#name, &next);                        \
        return ((result(*) parameters)next)arguments; \
    }

HOOK(void *, mmap,
     (void *address, size_t size, int protection, int flags, int file,
      off_t offset),
     (address, size, protection, flags, file, offset))
HOOK(int, munmap, (void *address, size_t size), (address, size))
HOOK(ssize_t, read, (int file, void *buffer, size_t size),
     (file, buffer, size))
HOOK(ssize_t, write, (int file, const void *buffer, size_t size),
     (file, buffer, size))
HOOK(char *, getenv, (const char *name), (name))
HOOK(char *, secure_getenv, (const char *name), (name))
HOOK(int, clock_gettime, (clockid_t clock, struct timespec *now),
     (clock, now))
HOOK(long, sysconf, (int name), (name))
HOOK(int, sched_getaffinity, (pid_t process, size_t size, cpu_set_t *set),
     (process, size, set))
HOOK(int, pthread_mutex_lock, (pthread_mutex_t * mutex), (mutex))

static int
mode_argument(int flags, va_list *rest)
{
    return (flags & (O_CREAT | __O_TMPFILE)) != 0 ? va_arg(*rest, int) : 0;
}

int
open(const char *path, int flags, ...)
{
    static void *next;
    va_list rest;

    va_start(rest, flags);
    int mode = mode_argument(flags, &rest);
    va_end(rest);
    look_up("open", &next);
    return ((int (*)(const char *, int, ...))next)(path, flags, mode);
}

int
openat(int directory, const char *path, int flags, ...)
{
    static void *next;
    va_list rest;

    va_start(rest, flags);
    int mode = mode_argument(flags, &rest);
    va_end(rest);
    look_up("openat", &next);
    return ((int (*)(int, const char *, int, ...))next)(directory, path, flags,
                                                        mode);
}
