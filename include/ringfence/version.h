/* SPDX-License-Identifier: MIT
 *
 * ringfence: version. Semantic versioning: a program built with one version
 * runs with any later one of the same major version; while that is 0, of the
 * same minor version.
 */
#ifndef RINGFENCE_VERSION_H
#define RINGFENCE_VERSION_H

#include "ringfence/export.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Of the headers. */
#define RF_VERSION_MAJOR 0
#define RF_VERSION_MINOR 1
#define RF_VERSION_PATCH 0
#define RF_VERSION "0.1.0"

/* Of the library that the program runs with: "0.1.0". Static; any thread. */
RF_API const char *rf_version(void);

#ifdef __cplusplus
}
#endif

#endif
