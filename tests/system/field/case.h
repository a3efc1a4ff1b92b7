/* SPDX-License-Identifier: MIT
 *
 * What every field case shares. A case is one program that does what broke
 * some malloc replacement in the field; it prints OK as its last line and
 * ends with 0, or prints the first expectation that failed and ends with 1.
 * Nothing here allocates, so that a case decides itself when its first
 * allocation happens. Valid in C and C++.
 */
#ifndef RINGFENCE_TESTS_FIELD_CASE_H
#define RINGFENCE_TESTS_FIELD_CASE_H

#include <fcntl.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define KIB ((size_t)1 << 10)
#define MIB ((size_t)1 << 20)
#define GIB ((size_t)1 << 30)
#define COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

#define EXPECT(condition)                                  \
    do {                                                   \
        if (!(condition)) {                                \
            fail_case(__FILE__, __LINE__, #condition);     \
        }                                                  \
    } while (0)

/* An upper bound whose failure shows the measured value. */
#define EXPECT_AT_MOST(value, bound)                                       \
    expect_at_most((long)(value), (long)(bound), __FILE__, __LINE__, #value)

static inline void
say(const char *text)
{
    size_t length = strlen(text);

    if (write(STDOUT_FILENO, text, length) != (ssize_t)length) {
        _exit(2);
    }
}

static inline void
fail_case(const char *file, int line, const char *what)
{
    char text[512];

    (void)snprintf(text, sizeof(text), "%s:%d: not true: %s\n", file, line,
                   what);
    say(text);
    _exit(1);
}

static inline void
expect_at_most(long value, long bound, const char *file, int line,
               const char *what)
{
    char text[512];

    if (value > bound) {
        (void)snprintf(text, sizeof(text), "%s is %ld, at most %ld allowed",
                       what, value, bound);
        fail_case(file, line, text);
    }
}

static inline int
finish(void)
{
    say("OK\n");
    return 0;
}

/* The machine cannot run the case: ctest's word for that is 77. */
static inline void
skip(const char *reason)
{
    say("skipped: ");
    say(reason);
    say("\n");
    _exit(77);
}

/* Full size of a case, or the one for a quick look (RINGFENCE_TEST_SCALE). */
static inline size_t
scaled(size_t full, size_t quick)
{
    const char *scale = getenv("RINGFENCE_TEST_SCALE");

    return scale != NULL && strcmp(scale, "quick") == 0 ? quick : full;
}

/* Hides where a pointer comes from, so that the compiler neither removes an
 * allocation nor warns about a mistake made on purpose. */
static inline void *
opaque(void *pointer)
{
    __asm__ volatile("" : "+r"(pointer) : : "memory");
    return pointer;
}

/* xorshift64*: good enough to mix sizes, and the same on every run. */
static inline uint64_t
next_random(uint64_t *state)
{
    uint64_t x = *state;

    x ^= x >> 12;
    x ^= x << 25;
    x ^= x >> 27;
    *state = x;
    return x * 0x2545F4914F6CDD1DULL;
}

/* A size of 1..limit, every power of two about equally likely. */
static inline size_t
random_size(uint64_t *state, size_t limit)
{
    unsigned int powers = 64 - (unsigned int)__builtin_clzll(limit);
    size_t power = (size_t)1 << (next_random(state) % powers);
    size_t size = power + (size_t)(next_random(state) % power);

    return size <= limit ? size : limit;
}

static inline long
now_ms(void)
{
    struct timespec now;

    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (long)now.tv_sec * 1000 + (long)(now.tv_nsec / 1000000);
}

static inline void
sleep_ms(long milliseconds)
{
    struct timespec pause;

    pause.tv_sec = milliseconds / 1000;
    pause.tv_nsec = (milliseconds % 1000) * 1000000;
    (void)nanosleep(&pause, NULL);
}

/* Field 0 (size) or 1 (resident) of /proc/self/statm, in KiB. */
static inline long
statm_kib(int field)
{
    char text[128] = "";
    int file = open("/proc/self/statm", O_RDONLY);
    char *at = text;

    EXPECT(file >= 0);
    EXPECT(read(file, text, sizeof(text) - 1) > 0);
    (void)close(file);
    for (int i = 0; i < field; i++) {
        at = strchr(at, ' ') + 1;
    }
    return strtol(at, NULL, 10) * (sysconf(_SC_PAGESIZE) / 1024);
}

static inline long
vsz_kib(void)
{
    return statm_kib(0);
}

static inline long
rss_kib(void)
{
    return statm_kib(1);
}

/* The number of mappings of this process. */
static inline long
map_count(void)
{
    static char text[1 << 16];
    int file = open("/proc/self/maps", O_RDONLY);
    long lines = 0;
    ssize_t got;

    EXPECT(file >= 0);
    while ((got = read(file, text, sizeof(text))) > 0) {
        for (ssize_t i = 0; i < got; i++) {
            lines += text[i] == '\n';
        }
    }
    (void)close(file);
    return lines;
}

static inline pthread_t
start_thread(void *(*body)(void *), void *argument)
{
    pthread_t thread;

    EXPECT(pthread_create(&thread, NULL, body, argument) == 0);
    return thread;
}

static inline void
join_thread(pthread_t thread)
{
    EXPECT(pthread_join(thread, NULL) == 0);
}

#endif
