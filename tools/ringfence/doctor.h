/* SPDX-License-Identifier: MIT
 *
 * The parts of `ringfence doctor`. Each check gives one verdict; where there
 * is something to do, an advice goes with it.
 */
#ifndef RINGFENCE_TOOL_DOCTOR_H
#define RINGFENCE_TOOL_DOCTOR_H

#include <stdbool.h>

typedef enum doctor_verdict {
    DOCTOR_OK,
    DOCTOR_WARN,
    DOCTOR_BROKEN
} doctor_verdict_t;

/* Prints one finding. Takes over `value`; advice may be NULL. */
void doctor_find(doctor_verdict_t verdict, const char *name, char *value,
                 const char *advice);

/* What kernel and machine offer. */
void doctor_check_machine(void);

/* The limits under which programs run here. */
void doctor_check_limits(void);

/* Is the library there, does it load, and which options does it take? */
void doctor_check_library(const char *wanted);

/* What `ringfence bench` will find. */
void doctor_check_bench(void);

#endif
