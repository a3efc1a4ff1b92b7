/* SPDX-License-Identifier: MIT
 *
 * Messages to the user, on stderr, each starting with the command's name;
 * and texts put together from pieces.
 */
#ifndef RINGFENCE_TOOL_SAY_H
#define RINGFENCE_TOOL_SAY_H

/* Exit status of a command that was called wrongly. */
enum { STATUS_USAGE = 2 };

/* From now on messages come from this command. */
void say_as(const char *command);

void say_error(const char *format, ...) __attribute__((format(printf, 1, 2)));
void say_warning(const char *format, ...) __attribute__((format(printf, 1, 2)));
void say_note(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* A new string; the process ends when there is no memory for it. */
char *
text_format(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* The result of an allocation; ends the process when it is NULL. */
void *memory_check(void *block);

#endif
