/* SPDX-License-Identifier: MIT
 *
 * What the allocators are to do: our own workloads, and programs that are
 * found on this system.
 */
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "places.h"
#include "say.h"
#include "words.h"

typedef struct row {
    const char *name;
    const char *text;
    bench_kind_t kind;
    bool quick;
} row_t;

static const row_t rows[] = {
#define WORKLOAD(name, threads, text) {#name, text, BENCH_WORKLOAD, false},
#include "bench/workloads.def"
#undef WORKLOAD
#define CONTAINER(name, steps, text) {#name, text, BENCH_CONTAINER, false},
#include "bench/containers.def"
#undef CONTAINER
    {"python", "python3: objects, dicts, JSON", BENCH_APPLICATION, true},
    {"sqlite", "sqlite3: a table in memory", BENCH_APPLICATION, true},
    {"compile", "g++ or clang++ compiles a file", BENCH_APPLICATION, false},
    {"perl", "perl: hashes of arrays", BENCH_APPLICATION, true},
    {"lua", "lua: tables and strings", BENCH_APPLICATION, true},
    {"redis", "redis-server under redis-benchmark", BENCH_REDIS, false},
};

/* The workloads of --quick, beside the applications marked above: one per
 * kind of behaviour, without the ones that need much memory. */
static const char quick_words[] =
    "random_leak,batch_2000,server,handoff_many,mixed_ring,cxx_map";

/* Names of a whole kind in --only. */
static const char *const group_names[] = {
    [BENCH_WORKLOAD] = "workloads",
    [BENCH_CONTAINER] = "containers",
    [BENCH_APPLICATION] = "applications",
    [BENCH_REDIS] = "applications",
};

static bool
is_selected(const row_t *row, const bench_options_t *options)
{
    if (options->latency && row->kind != BENCH_WORKLOAD) {
        return false;
    }
    if (options->only != NULL) {
        return words_have(options->only, row->name) ||
               words_have(options->only, group_names[row->kind]);
    }
    return !options->quick || row->quick || words_have(quick_words, row->name);
}

static bool
set_workload(bench_job_t *job, const char *program, double scale)
{
    char *path = places_bench_file(program);
    if (path == NULL) {
        say_error("%s is missing beside this program", program);
        return false;
    }
    job->arguments[0] = path;
    job->arguments[1] = memory_check(strdup(job->name));
    job->arguments[2] = memory_check(strdup("--scale"));
    job->arguments[3] = text_format("%g", scale);
    return true;
}

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
static bool
set_application(bench_job_t *job, double scale)
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

static void
free_arguments(bench_job_t *job)
{
    for (size_t i = 0; i < BENCH_ARGUMENTS; i++) {
        free(job->arguments[i]);
    }
}

/* Makes a job of the row; false only when the benchmark cannot go on. */
static bool
add_job(const row_t *row, const bench_options_t *options, bench_jobs_t *jobs)
{
    bench_job_t job = {.name = row->name, .text = row->text, .kind = row->kind};
    bool ready;

    if (row->kind == BENCH_WORKLOAD) {
        ready = set_workload(&job,
                             options->latency ? "ringfence-workloads-latency"
                                              : "ringfence-workloads",
                             options->scale);
    } else if (row->kind == BENCH_CONTAINER) {
        ready = set_workload(&job, "ringfence-workloads-cxx", options->scale);
    } else if (set_application(&job, options->scale)) {
        ready = true;
    } else {
        say_note("%s: not installed, left out", row->name);
        free_arguments(&job);
        return true;
    }
    jobs->items[jobs->count++] = job;
    return ready;
}

static bool
is_known(const char *word, size_t length)
{
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        const char *group = group_names[rows[i].kind];
        if ((strlen(rows[i].name) == length &&
             memcmp(rows[i].name, word, length) == 0) ||
            (strlen(group) == length && memcmp(group, word, length) == 0)) {
            return true;
        }
    }
    return false;
}

static bool
check_words(const char *words)
{
    while (*words != '\0') {
        const size_t length = strcspn(words, ",");
        if (!is_known(words, length)) {
            say_error("no workload is named '%.*s'; --list shows them",
                      (int)length, words);
            return false;
        }
        words += length + (words[length] == ',');
    }
    return true;
}

bool
bench_jobs_find(const bench_options_t *options, bench_jobs_t *jobs)
{
    const size_t count = sizeof(rows) / sizeof(rows[0]);

    if (options->only != NULL && !check_words(options->only)) {
        return false;
    }
    jobs->items = memory_check(calloc(count, sizeof(*jobs->items)));
    for (size_t i = 0; i < count; i++) {
        if (is_selected(&rows[i], options) &&
            !add_job(&rows[i], options, jobs)) {
            return false;
        }
    }
    if (jobs->count == 0) {
        say_error("no workload is left to run");
        return false;
    }
    return true;
}

void
bench_jobs_free(bench_jobs_t *jobs)
{
    for (size_t i = 0; i < jobs->count; i++) {
        free_arguments(&jobs->items[i]);
    }
    free(jobs->items);
}
