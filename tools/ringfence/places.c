/* SPDX-License-Identifier: MIT
 *
 * Finding the library, the benchmark's files and programs. The installed
 * places come from the build rules; the build tree has lib and libexec.
 */
#include "places.h"

#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/stat.h>
#include <unistd.h>

#include "say.h"

#define LIBRARY "libringfence_preload.so"

const char *
places_self(void)
{
    static char path[PATH_MAX];
    if (path[0] != '\0') {
        return path;
    }
    const ssize_t length = readlink("/proc/self/exe", path, sizeof(path) - 1);
    if (length > 0) {
        path[length] = '\0';
    } else if (realpath((const char *)getauxval(AT_EXECFN), path) == NULL) {
        strcpy(path, "/usr/bin/ringfence");
    }
    return path;
}

/* The first of the folders, given relative to this program's folder, that
 * has the file. */
static char *
find_beside(const char *const *folders, const char *name)
{
    const char *self = places_self();
    const int length = (int)(strrchr(self, '/') - self);

    for (; *folders != NULL; folders++) {
        char *path = text_format("%.*s/%s/%s", length, self, *folders, name);
        char *real = realpath(path, NULL);
        free(path);
        if (real != NULL) {
            return real;
        }
    }
    return NULL;
}

char *
places_bench_file(const char *name)
{
    static const char *const folders[] = {LIBEXEC_FROM_BIN,
                                          "../libexec/ringfence", NULL};
    return find_beside(folders, name);
}

static char *
own_library(void)
{
    static const char *const folders[] = {LIBRARY_FROM_BIN, "../lib", NULL};
    return find_beside(folders, LIBRARY);
}

char *
places_library_quietly(void)
{
    const char *named = getenv("RINGFENCE_LIBRARY");
    return named != NULL ? realpath(named, NULL) : own_library();
}

char *
places_library(const char *wanted)
{
    const char *named = wanted != NULL ? wanted : getenv("RINGFENCE_LIBRARY");
    char *path = named != NULL ? realpath(named, NULL) : own_library();

    if (path == NULL && named != NULL) {
        say_error("library '%s': %s", named, strerror(errno));
    } else if (path == NULL) {
        say_error("%s is neither beside this program nor installed; name it "
                  "with --library or RINGFENCE_LIBRARY",
                  LIBRARY);
    } else if (strpbrk(path, ": ") != NULL) {
        say_error("library '%s': LD_PRELOAD cannot hold a path with a colon "
                  "or a space",
                  path);
        free(path);
        path = NULL;
    }
    return path;
}

static bool
is_runnable(const char *path)
{
    struct stat file;
    return stat(path, &file) == 0 && S_ISREG(file.st_mode) &&
           access(path, X_OK) == 0;
}

/* The file in the first folder of the list `folders`, whose length comes
 * back. An empty folder is the current one. */
static char *
first_candidate(const char *folders, size_t *length, const char *name)
{
    *length = strcspn(folders, ":");
    if (*length == 0) {
        return text_format("./%s", name);
    }
    return text_format("%.*s/%s", (int)*length, folders, name);
}

static char *
find_in_path(const char *name)
{
    const char *folders = getenv("PATH");
    int reason = ENOENT;

    if (folders == NULL) {
        folders = "/bin:/usr/bin";
    }
    while (folders != NULL) {
        size_t length;
        char *path = first_candidate(folders, &length, name);
        if (is_runnable(path)) {
            return path;
        }
        if (access(path, F_OK) == 0) {
            reason = EACCES;
        }
        free(path);
        folders = folders[length] == ':' ? folders + length + 1 : NULL;
    }
    errno = reason;
    return NULL;
}

char *
places_program(const char *name)
{
    if (strchr(name, '/') == NULL) {
        return find_in_path(name);
    }
    if (is_runnable(name)) {
        return memory_check(strdup(name));
    }
    errno = access(name, F_OK) == 0 ? EACCES : ENOENT;
    return NULL;
}
