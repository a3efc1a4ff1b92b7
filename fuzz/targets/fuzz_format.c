/* SPDX-License-Identifier: MIT
 *
 * The formatter against the C library's: one conversion with flags, width
 * and length modifier, between two marks, into a buffer of any capacity. The
 * texts must be the same, cut where the buffer ends.
 *
 * Payload: the value (8 bytes), then the string for %s. Control bytes, from
 * the end: conversion, flags, width, capacity, precision.
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/format.h"
#include "check.h"
#include "input.h"
#include "target.h"

#define TEXT_BYTES 256u

/* Through pointers, since the compiler cannot check formats made here. */
typedef int (*print_t)(char *, size_t, const char *, ...);
typedef size_t (*format_t)(char *, size_t, const char *, ...);
static const print_t print_theirs = snprintf;
static const format_t format_ours = rfi_format;

typedef enum argument {
    CHARACTER,
    INT,
    LONG,
    LONG_LONG,
    POINTER,
    TEXT,
    CUT, /* a text with its precision in front */
} argument_t;

typedef struct conversion {
    const char *ours;
    const char *theirs_flag;
    const char *theirs; /* the C library's %p is its own affair */
    argument_t argument;
    bool takes_zero_flag;
} conversion_t;

static const conversion_t conversions[] = {
    {"d", "", "d", INT, true},           {"i", "", "i", INT, true},
    {"u", "", "u", INT, true},           {"x", "", "x", INT, true},
    {"c", "", "c", CHARACTER, false},    {"ld", "", "ld", LONG, true},
    {"lu", "", "lu", LONG, true},        {"lx", "", "lx", LONG, true},
    {"lld", "", "lld", LONG_LONG, true}, {"llu", "", "llu", LONG_LONG, true},
    {"llx", "", "llx", LONG_LONG, true}, {"zu", "", "zu", LONG, true},
    {"zd", "", "zd", LONG, true},        {"zx", "", "zx", LONG, true},
    {"p", "#", "lx", POINTER, false},    {"s", "", "s", TEXT, false},
    {".*s", "", ".*s", CUT, false},
};

#define CONVERSIONS (sizeof(conversions) / sizeof(*conversions))

typedef struct trial {
    const conversion_t *conversion;
    char ours[32];
    char theirs[32];
    size_t capacity;
    int limit;
    uint64_t value;
    char text[TEXT_BYTES];
} trial_t;

static void
read_trial(trial_t *trial, const uint8_t *data, size_t size)
{
    input_t input;
    char prefix[16];

    memset(trial, 0, sizeof(*trial));
    input_start(&input, data, size);
    trial->conversion = &conversions[input_control(&input) % CONVERSIONS];
    unsigned flags = input_control(&input);
    bool zero = (flags & 1) != 0 && trial->conversion->takes_zero_flag;
    unsigned width = input_control(&input);

    /* One byte holds the NUL. */
    trial->capacity = 1u + input_control(&input);
    trial->limit = input_control(&input);
    input_take(&input, (uint8_t *)&trial->value, sizeof(trial->value));
    input_take(&input, (uint8_t *)trial->text, TEXT_BYTES - 1);
    snprintf(prefix, sizeof(prefix), "%s%s", flags & 2 ? "-" : "",
             zero ? "0" : "");
    if ((flags & 4) != 0) {
        snprintf(prefix + strlen(prefix), 8, "%u", 1 + width);
    }
    snprintf(trial->ours, sizeof(trial->ours), "<%%%s%s>", prefix,
             trial->conversion->ours);
    snprintf(trial->theirs, sizeof(trial->theirs), "<%%%s%s%s>",
             trial->conversion->theirs_flag, prefix, trial->conversion->theirs);
}

/* Calls both with an argument of one type, and says how much each wrote. */
#define CALL(...) \
    (*ours_count = \
         format_ours(ours, trial->capacity, trial->ours, __VA_ARGS__), \
     *theirs_count = \
         print_theirs(theirs, trial->capacity, trial->theirs, __VA_ARGS__))

static void
call_both(const trial_t *trial, char *ours, size_t *ours_count, char *theirs,
          int *theirs_count)
{
    switch (trial->conversion->argument) {
    case CHARACTER:
    case INT:
        CALL((int)trial->value);
        break;
    case LONG:
    case POINTER:
        CALL((long)trial->value);
        break;
    case LONG_LONG:
        CALL((long long)trial->value);
        break;
    case TEXT:
        CALL(trial->text);
        break;
    case CUT:
        CALL(trial->limit, trial->text);
        break;
    }
}

/* What a C library does differently, and may: NULL is "0x0" here, "(nil)"
 * there; the character NUL ends a text here, and is written there. */
static bool
is_left_open(const trial_t *trial)
{
    argument_t argument = trial->conversion->argument;

    return (argument == POINTER && trial->value == 0) ||
           (argument == CHARACTER && (char)trial->value == '\0');
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    trial_t trial;
    char ours[TEXT_BYTES + 8];
    char theirs[TEXT_BYTES + 8];
    size_t ours_count = 0;
    int theirs_count = 0;

    read_trial(&trial, data, size);
    if (is_left_open(&trial)) {
        return 0;
    }
    call_both(&trial, ours, &ours_count, theirs, &theirs_count);
    size_t expected = (size_t)theirs_count < trial.capacity
                          ? (size_t)theirs_count
                          : trial.capacity - 1;

    check(ours_count == expected, "\"%s\": %zu bytes, not %zu", trial.ours,
          ours_count, expected);
    check(memcmp(ours, theirs, expected + 1) == 0, "\"%s\": \"%s\", not \"%s\"",
          trial.ours, ours, theirs);
    return 0;
}
