/* SPDX-License-Identifier: MIT
 *
 * How the applications of the benchmark are called. Where a program has
 * several names, the first that is installed is taken.
 */
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "places.h"
#include "say.h"

/* The first of the names that is installed. */
static char *
first_program(const char *const *names)
{
    char *path = NULL;
    for (; path == NULL && *names != NULL; names++) {
        path = places_program(*names);
    }
    return path;
}

static bool
set_script(bench_job_t *job, const char *const *names, const char *script,
           double scale)
{
    job->arguments[0] = first_program(names);
    job->arguments[1] = places_bench_file(script);
    job->arguments[2] = text_format("%g", scale);
    return job->arguments[0] != NULL && job->arguments[1] != NULL;
}

static bool
set_sqlite(bench_job_t *job, double scale)
{
    static const char *const names[] = {"sqlite3", NULL};
    char *script = places_bench_file("apps/table.sql");
    const long rows_wanted = (long)(300000 * scale) + 100;

    job->arguments[0] = first_program(names);
    job->arguments[1] = memory_check(strdup(":memory:"));
    job->arguments[2] =
        text_format("CREATE TABLE rows AS SELECT %ld AS n", rows_wanted);
    job->arguments[3] = text_format(".read '%s'", script != NULL ? script : "");
    const bool found = job->arguments[0] != NULL && script != NULL;
    free(script);
    return found;
}

static bool
set_compile(bench_job_t *job)
{
    static const char *const names[] = {"g++", "clang++", NULL};
    static const char *const words[] = {"-std=c++17", "-O0", "-c", "-o",
                                        "/dev/null"};
    size_t at = 0;

    job->arguments[at++] = first_program(names);
    for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
        job->arguments[at++] = memory_check(strdup(words[i]));
    }
    job->arguments[at] = places_bench_file("apps/compile.cpp");
    return job->arguments[0] != NULL && job->arguments[at] != NULL;
}

static bool
set_redis(bench_job_t *job, double scale)
{
    static const char *const server[] = {"redis-server", NULL};
    static const char *const client[] = {"redis-benchmark", NULL};

    job->arguments[0] = first_program(server);
    job->arguments[1] = first_program(client);
    job->arguments[2] = text_format("%ld", (long)(200000 * scale) + 100);
    return job->arguments[0] != NULL && job->arguments[1] != NULL;
}

/* Distributions' python3 comes first, because a version manager's `python3`
 * is a shell script that would be measured instead. */
bool
bench_set_application(bench_job_t *job, double scale)
{
    static const char *const python[] = {"/usr/bin/python3", "python3", NULL};
    static const char *const perl[] = {"perl", NULL};
    static const char *const lua[] = {"lua5.4", "lua5.3", "lua", NULL};

    if (strcmp(job->name, "python") == 0) {
        return set_script(job, python, "apps/objects.py", scale);
    }
    if (strcmp(job->name, "perl") == 0) {
        return set_script(job, perl, "apps/objects.pl", scale);
    }
    if (strcmp(job->name, "lua") == 0) {
        return set_script(job, lua, "apps/objects.lua", scale);
    }
    if (strcmp(job->name, "sqlite") == 0) {
        return set_sqlite(job, scale);
    }
    if (strcmp(job->name, "redis") == 0) {
        return set_redis(job, scale);
    }
    return set_compile(job);
}
