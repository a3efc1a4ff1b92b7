/* SPDX-License-Identifier: MIT
 *
 * The time that each allocator call takes. The workloads are compiled twice:
 * ringfence-workloads calls the allocator directly and links latency_off.c;
 * ringfence-workloads-latency sees the calls through latency_wrap.h and
 * links latency.c. So the figures of the first carry no cost of the second.
 */
#ifndef RINGFENCE_BENCH_LATENCY_H
#define RINGFENCE_BENCH_LATENCY_H

/* Adds the calling thread's figures to the process's. Each thread that
 * allocates calls it before it ends. */
void latency_flush(void);

/* Prints " clock_ns=... mean_ns=... p50_ns=... p99_ns=... p999_ns=...
 * max_ns=...", or nothing. */
void latency_print(void);

#endif
