/* SPDX-License-Identifier: MIT
 *
 * ringfence: everything.
 */
#ifndef RINGFENCE_RINGFENCE_H
#define RINGFENCE_RINGFENCE_H

#include "ringfence/alloc.h"
#include "ringfence/options.h"
#include "ringfence/stats.h"
#include "ringfence/version.h"

#endif
