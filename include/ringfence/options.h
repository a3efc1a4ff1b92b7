/* SPDX-License-Identifier: MIT
 *
 * ringfence: options.
 *
 * Options are read once, before the first block is handed out, from (the
 * later wins) /etc/ringfence.conf, __ringfence_default_options(),
 * RINGFENCE_MODE and RINGFENCE_OPTIONS; `RINGFENCE_OPTIONS=help=1` lists
 * them. In a set-uid program the environment can only strengthen. Some may be
 * changed while the program runs.
 *
 * All functions may be called from any thread and never allocate.
 */
#ifndef RINGFENCE_OPTIONS_H
#define RINGFENCE_OPTIONS_H

#include <stddef.h>

#include "ringfence/export.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Room for the value of any option, with the NUL. */
#define RF_OPTION_VALUE_MAX 64

/* Writes the value of an option as text to `value`, which has room for
 * `capacity` bytes: "500", "abort". Returns 0; or -1 with errno ENOENT (no
 * such option) or ERANGE (no room), and *value is as it was. */
RF_API int rf_option_get(const char *key, char *value, size_t capacity);

/* Changes an option for the whole process. Returns 0; or -1 with errno ENOENT
 * (no such option), EPERM (cannot change while the program runs) or EINVAL
 * (no value of this option), and nothing has changed. */
RF_API int rf_option_set(const char *key, const char *value);

/* A program may define this to bring options of its own, in the syntax of
 * RINGFENCE_OPTIONS: "dirty_decay_ms=0:verbosity=1". Called once, before the
 * first block is handed out: it must not allocate, and the text must stay.
 * NULL for none. */
RF_API const char *__ringfence_default_options(void);

#ifdef __cplusplus
}
#endif

#endif
