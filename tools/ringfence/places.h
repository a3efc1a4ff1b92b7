/* SPDX-License-Identifier: MIT
 *
 * Where the parts of ringfence are, seen from this program: the same code
 * finds them in a build tree and after installation, because both are
 * looked up relative to the program's own file.
 */
#ifndef RINGFENCE_TOOL_PLACES_H
#define RINGFENCE_TOOL_PLACES_H

/* The file of this program. */
const char *places_self(void);

/* The library to preload: `wanted` if not NULL, else $RINGFENCE_LIBRARY,
 * else the one that belongs to this program. NULL after an error message. */
char *places_library(const char *wanted);

/* The same without a message, for those that can do without. */
char *places_library_quietly(void);

/* A file of the benchmark: a program, or a script as "apps/NAME". NULL when
 * it is not there. */
char *places_bench_file(const char *name);

/* The file that running `name` would start: as execvp finds it. NULL with
 * errno ENOENT or EACCES. */
char *places_program(const char *name);

#endif
