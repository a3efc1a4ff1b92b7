/* SPDX-License-Identifier: MIT
 *
 * What the allocators are to do: the table of all jobs, and the choice among
 * them.
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
    } else if (bench_set_application(&job, options->scale)) {
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
