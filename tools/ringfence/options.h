/* SPDX-License-Identifier: MIT
 *
 * The allocator's options as the tool sees them: the names and texts of
 * src/core/options.def, to check and to explain what the user writes.
 */
#ifndef RINGFENCE_TOOL_OPTIONS_H
#define RINGFENCE_TOOL_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

typedef struct option_row {
    const char *key;
    const char *values; /* "a|b|c", "integer" or "0|1" */
    const char *text;
} option_row_t;

extern const option_row_t option_rows[];
extern const size_t option_row_count;

const option_row_t *option_find(const char *key, size_t length);

/* Is `mode` one of the modes that this version has? */
bool option_is_mode(const char *mode);

/* The modes, as "a|b|c". */
const char *option_modes(void);

/* Checks "key=value" as far as the tool can; false after an error
 * message. */
bool option_check(const char *assignment);

void option_print_all(FILE *stream);

#endif
