/* SPDX-License-Identifier: MIT
 *
 * Reasons for which a preloaded library cannot reach a program.
 */
#ifndef RINGFENCE_TOOL_PROGRAM_H
#define RINGFENCE_TOOL_PROGRAM_H

/* A sentence without a full stop that says why LD_PRELOAD has no effect on
 * the program in this file, or NULL when it has, or cannot be told. For a
 * script the interpreter is looked at. */
const char *program_obstacle(const char *path);

#endif
