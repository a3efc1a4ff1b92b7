/* SPDX-License-Identifier: MIT
 *
 * The environment variables through which ringfence reaches a program. All
 * functions change this process's own environment, before exec or in a
 * forked child.
 */
#ifndef RINGFENCE_TOOL_ENVIRONMENT_H
#define RINGFENCE_TOOL_ENVIRONMENT_H

/* Puts the library in front of LD_PRELOAD, once. */
void environment_preload(const char *library);

/* RINGFENCE_MODE, and the same in RINGFENCE_OPTIONS where a mode stands
 * there already, since the options win over the variable. */
void environment_set_mode(const char *mode);

/* Adds "key=value" behind RINGFENCE_OPTIONS, where later entries win. */
void environment_add_option(const char *assignment);

/* Takes out what a user may have set for ringfence or preloaded, so that a
 * measurement starts from the same place everywhere. */
void environment_clear(void);

#endif
