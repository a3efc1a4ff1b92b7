/* SPDX-License-Identifier: MIT
 *
 * The commands of `ringfence`. Each gets its own argument vector, with the
 * command's name in argv[0], and returns the process's exit status.
 */
#ifndef RINGFENCE_TOOL_COMMANDS_H
#define RINGFENCE_TOOL_COMMANDS_H

int command_run(int argc, char **argv);
int command_doctor(int argc, char **argv);
int command_bench(int argc, char **argv);

/* Not for users: see probe.h. */
int command_probe(int argc, char **argv);

#endif
