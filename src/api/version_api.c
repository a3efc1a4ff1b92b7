/* SPDX-License-Identifier: MIT
 *
 * The functions of ringfence/version.h.
 */
#include "ringfence/version.h"

const char *
rf_version(void)
{
    return RF_VERSION;
}
