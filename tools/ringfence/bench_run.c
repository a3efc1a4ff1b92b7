/* SPDX-License-Identifier: MIT
 *
 * One job under one allocator, once.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench.h"
#include "child.h"
#include "environment.h"
#include "places.h"
#include "say.h"

/* A run that takes longer hangs. */
enum { LIMIT_SECONDS = 600 };

void
bench_choose_policies(const bench_allocator_t *allocator)
{
    if (allocator->mode != NULL) {
        environment_set_mode(allocator->mode);
    }
    if (allocator->ours) {
        for (size_t i = 0; i < allocator->options->setting_count; i++) {
            environment_add_option(allocator->options->settings[i]);
        }
    }
}

void
bench_choose_allocator(const bench_allocator_t *allocator, bool forced)
{
    environment_clear();
    if (allocator->preload != NULL) {
        setenv("LD_PRELOAD", allocator->preload, 1);
    } else if (forced) {
        char *shim = places_bench_file("libbench_glibc.so");
        setenv("LD_PRELOAD", shim != NULL ? shim : "", 1);
        free(shim);
    }
    bench_choose_policies(allocator);
    setenv("PYTHONMALLOC", "malloc", 1);
    setenv("PYTHONHASHSEED", "0", 1);
}

typedef struct start {
    const bench_job_t *job;
    const bench_allocator_t *allocator;
} start_t;

static void
become_job(void *argument)
{
    const start_t *start = argument;
    bench_choose_allocator(start->allocator, false);
    execv(start->job->arguments[0], start->job->arguments);
}

static char *
without_line_end(const char *text)
{
    return memory_check(strndup(text, strcspn(text, "\n")));
}

/* The program's own last words say more than its exit status. */
static char *
explain(const child_result_t *child)
{
    const char *last = child->messages;
    for (const char *at = last; *at != '\0'; at++) {
        if (*at == '\n' && at[1] != '\0') {
            last = at + 1;
        }
    }
    if (*last == '\0') {
        return memory_check(strdup(child->error));
    }
    return text_format("%s: %.*s", child->error, (int)strcspn(last, "\n"),
                       last);
}

/* A program that works prints nothing on stderr; an allocator's complaint
 * or the loader's makes the figures worthless. */
static char *
complaint(const child_result_t *child)
{
    if (child->error != NULL) {
        return explain(child);
    }
    if (*child->messages != '\0') {
        return text_format("wrote on stderr: %.*s",
                           (int)strcspn(child->messages, "\n"),
                           child->messages);
    }
    return NULL;
}

bench_result_t
bench_run(const bench_job_t *job, const bench_allocator_t *allocator)
{
    if (job->kind == BENCH_REDIS) {
        return bench_run_redis(job, allocator);
    }
    start_t start = {job, allocator};
    child_result_t child = child_run(become_job, &start, LIMIT_SECONDS);
    bench_result_t result = {
        .done = true,
        .seconds = child.seconds,
        .peak_kib = (double)child.peak_kib,
        .error = complaint(&child),
        .detail = without_line_end(child.output),
    };
    child_free(&child);
    return result;
}

double
bench_detail(const bench_result_t *result, const char *key, double missing)
{
    const size_t length = strlen(key);
    const char *at = result->detail;

    while (at != NULL && *at != '\0') {
        if (strncmp(at, key, length) == 0 && at[length] == '=') {
            return strtod(at + length + 1, NULL);
        }
        at += strcspn(at, " ");
        at += *at == ' ';
    }
    return missing;
}
