/* SPDX-License-Identifier: MIT
 *
 * The rows of core/options.def as data, and what the parser, the run-time
 * interface and the listing all need: find a row, read and write its values
 * as text.
 */
#ifndef RINGFENCE_API_OPTIONS_TABLE_H
#define RINGFENCE_API_OPTIONS_TABLE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A piece of a text; not ended by a NUL. */
typedef struct rfi_slice {
    const char *start;
    size_t count;
} rfi_slice_t;

typedef enum rfi_option_kind {
    RFI_OPTION_IS_ENUM,
    RFI_OPTION_IS_INT,
    RFI_OPTION_IS_BOOL
} rfi_option_kind_t;

typedef struct rfi_option {
    const char *key;
    rfi_option_kind_t kind;
    bool run_time;
    int64_t initial;
    int64_t strong;  /* RFI_NOT_STRONG: none */
    int64_t minimum; /* of an int */
    int64_t maximum;
    const char *values; /* of an enum: words separated by | */
    const char *text;
    _Atomic(int64_t) *value; /* in rfi_config */
} rfi_option_t;

/* The rows in the order of the table; NULL beyond the last. */
const rfi_option_t *rfi_option_at(size_t index);

/* The row with this key, or NULL. */
const rfi_option_t *rfi_option_find(rfi_slice_t key);

/* The key that was probably meant, or NULL when none is near. */
const char *rfi_option_suggest(rfi_slice_t key);

/* Reads a value of this option. False when it is none. */
bool rfi_option_read(const rfi_option_t *option, rfi_slice_t text,
                     int64_t *value);

/* Is this number a value of this option? */
bool rfi_option_accepts(const rfi_option_t *option, int64_t value);

/* Writes a value as a user would, or what values there are: "0 to 3". Cut to
 * the capacity, ended by a NUL. */
void rfi_option_write(const rfi_option_t *option, int64_t value, char *buffer,
                      size_t capacity);
void rfi_option_write_range(const rfi_option_t *option, char *buffer,
                            size_t capacity);

rfi_slice_t rfi_slice_of(const char *text);
bool rfi_slice_equals(rfi_slice_t slice, const char *text);

/* Cuts the part before the first `separator` off the front of *rest, and the
 * separator too. Without one, the part is all of *rest. */
rfi_slice_t rfi_slice_cut(rfi_slice_t *rest, char separator);

#endif
