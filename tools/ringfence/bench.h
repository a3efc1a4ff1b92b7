/* SPDX-License-Identifier: MIT
 *
 * The parts of `ringfence bench`:
 *
 *   bench_options     what the user asks for
 *   bench_allocators  which allocators there are to compare
 *   bench_jobs        what each of them is to do
 *   bench_apps        how the system's programs are called for that
 *   bench_run         one job under one allocator, once
 *   bench_measure     all of them, interleaved
 *   bench_summary     medians, ratios and bounds
 *   bench_table, bench_latency, bench_kept, bench_tsv, bench_plot   output
 */
#ifndef RINGFENCE_TOOL_BENCH_H
#define RINGFENCE_TOOL_BENCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

typedef struct bench_options {
    unsigned repetitions;
    double scale;
    const char *only; /* "a,b" or NULL */
    const char *allocators;
    const char *library;
    const char *tsv;
    const char *svg;
    bool latency, modes, quick, list;
    bool peers_only;   /* find peers, nothing else, without notes */
    const char **with; /* "NAME=PATH" */
    size_t with_count;
    const char **settings; /* "key=value", for ringfence */
    size_t setting_count;
} bench_options_t;

/* Returns -1 to go on, else the exit status. */
int bench_options_read(int argc, char **argv, bench_options_t *options);
void bench_options_free(bench_options_t *options);

typedef struct bench_allocator {
    char *name;
    char *preload; /* value for LD_PRELOAD; NULL: the C library's malloc */
    char *mode;    /* RINGFENCE_MODE, or NULL */
    bool ours;
    const bench_options_t *options; /* for their settings, when ours */
} bench_allocator_t;

typedef struct bench_allocators {
    bench_allocator_t *items;
    size_t count;
} bench_allocators_t;

/* glibc first, then the peers, ringfence last. False after a message. */
bool bench_allocators_find(const bench_options_t *options,
                           bench_allocators_t *allocators);
void bench_allocators_free(bench_allocators_t *allocators);

typedef enum bench_kind {
    BENCH_WORKLOAD,    /* ringfence-workloads */
    BENCH_CONTAINER,   /* ringfence-workloads-cxx */
    BENCH_APPLICATION, /* a program of the system */
    BENCH_REDIS        /* a server, measured through its client */
} bench_kind_t;

enum { BENCH_ARGUMENTS = 8 };

typedef struct bench_job {
    const char *name;
    const char *text;
    bench_kind_t kind;
    char *arguments[BENCH_ARGUMENTS]; /* of exec, NULL-terminated */
} bench_job_t;

typedef struct bench_jobs {
    bench_job_t *items;
    size_t count;
} bench_jobs_t;

/* What --only and --quick select. A program that is not installed is left
 * out with a note. False after a message. */
bool bench_jobs_find(const bench_options_t *options, bench_jobs_t *jobs);
/* Fills in the arguments of an application's job by its name. False when
 * its program is not installed. */
bool bench_set_application(bench_job_t *job, double scale);

void bench_jobs_free(bench_jobs_t *jobs);

typedef struct bench_result {
    bool done;
    double seconds;
    double peak_kib;
    char *error;  /* NULL, or why the run failed: then the rest is void */
    char *detail; /* the line of key=value that the program printed */
} bench_result_t;

bench_result_t
bench_run(const bench_job_t *job, const bench_allocator_t *allocator);
bench_result_t
bench_run_redis(const bench_job_t *job, const bench_allocator_t *allocator);

/* For bench_run's children: sets what selects the allocator. `forced` also
 * preloads for glibc, against programs that are linked with another. */
void bench_choose_allocator(const bench_allocator_t *allocator, bool forced);

/* The part of it that only ringfence reads: mode and options. */
void bench_choose_policies(const bench_allocator_t *allocator);

/* The number behind "key=" in a detail line, or `missing`. */
double
bench_detail(const bench_result_t *result, const char *key, double missing);

/* All results of one bench. */
typedef struct bench {
    const bench_options_t *options;
    bench_allocators_t allocators;
    bench_jobs_t jobs;
    bench_result_t *results;
} bench_t;

bench_result_t *bench_result_at(const bench_t *bench, size_t job,
                                size_t allocator, unsigned repetition);

/* Fills bench->results; raw results also go to `tsv` if not NULL. Returns
 * the number of failed runs. */
unsigned bench_measure(bench_t *bench, FILE *tsv);

void bench_tsv_header(FILE *tsv);
void bench_tsv_row(FILE *tsv, const bench_t *bench, size_t job,
                   size_t allocator, unsigned repetition);

void bench_print_tables(const bench_t *bench, FILE *stream);
void bench_print_latency(const bench_t *bench, FILE *stream);
void bench_print_failures(const bench_t *bench, FILE *stream);
/* What kept memory costs, and system calls of the seeds' leak test. */
void bench_print_kept(const bench_t *bench, FILE *stream);
/* False after a message. */
bool bench_plot(const bench_t *bench, const char *path);

#endif
