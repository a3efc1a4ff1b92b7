/* SPDX-License-Identifier: MIT
 *
 * Options: from where they are read, how they are written, how a program
 * reads and changes them. The table is core/options.def, the values live in
 * core/config.h.
 *
 * Syntax, as in ASAN_OPTIONS: key=value, separated by ':', ',' or white
 * space; a value in single or double quotes may contain those. A mistake costs
 * one line of warning and is otherwise skipped, unless strict_options=1.
 *
 * No function here allocates or touches errno.
 */
#ifndef RINGFENCE_API_OPTIONS_H
#define RINGFENCE_API_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

/* Where a text with options comes from, weakest first. */
typedef enum rfi_options_source {
    RFI_OPTIONS_RULES,   /* /etc/ringfence.conf */
    RFI_OPTIONS_PROGRAM, /* __ringfence_default_options() */
    RFI_OPTIONS_MODE,    /* RINGFENCE_MODE */
    RFI_OPTIONS_VARIABLE /* RINGFENCE_OPTIONS */
} rfi_options_source_t;

/* Reads all sources, called once by the thread that starts the library; a
 * stronger source overrides a weaker one. Returns the number of mistakes. With
 * strict_options=1 a mistake ends the process with status 1. */
int rfi_options_load(void);

/* Reads a text in the syntax above into rfi_config. With `strong_only`, takes
 * only values that make the process safer and drops others in silence.
 * Returns the number of mistakes. */
int rfi_options_parse(const char *text, rfi_options_source_t source,
                      bool strong_only);

/* Reads a file of lines "NAME: options", in which NAME is *, the path or the
 * last part of the path of the program, and '#' starts a comment line. A
 * missing file is no mistake. In a set-uid program (`secure`) the last part
 * of a path proves nothing, since its user chooses it: such lines can only
 * strengthen there. Returns the number of mistakes. */
int rfi_options_read_rules(const char *path, const char *executable,
                           bool secure);

/* The value of an option: a number, 0 or 1, or the index of a word. Returns 0
 * or -ENOENT. */
int rfi_options_get(const char *key, int64_t *value);

/* Changes an option that may change at run time, by value or by its text.
 * Returns 0, -ENOENT (no such option), -EPERM (fixed at start) or -EINVAL. */
int rfi_options_set(const char *key, int64_t value);
int rfi_options_set_text(const char *key, const char *text);

/* Writes all options with value, default and explanation. */
void rfi_options_print(int fd);

#endif
