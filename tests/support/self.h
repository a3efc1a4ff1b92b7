/* SPDX-License-Identifier: MIT
 *
 * For tests of how a process is started: executes the test program again, as
 * it is or with raised privileges.
 */
#ifndef RINGFENCE_TESTS_SUPPORT_SELF_H
#define RINGFENCE_TESTS_SUPPORT_SELF_H

#include <stdbool.h>

#include "support/child.h"

/* Absolute path of the running program. */
const char *self_path(void);

/* Executes a set-uid copy of this program as an ordinary user. False when
 * that cannot be done here: not root, or a file system that ignores the
 * set-uid bit. */
bool self_execute_set_uid(child_t *child, const char *argument,
                          const char *const environment[]);

#endif
