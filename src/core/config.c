/* SPDX-License-Identifier: MIT
 *
 * The record of options with the defaults of options.def.
 */
#include "core/config.h"

#include <stdbool.h>

rfi_config_t rfi_config = {
#define RFI_OPTION_ENUM(key, def, strong, run_time, values, quoted, text) \
    .key = (def),
#define RFI_OPTION_INT(key, def, min, max, run_time, quoted, text) .key = (def),
#define RFI_OPTION_BOOL(key, def, strong, run_time, quoted, text) .key = (def),
#include "core/options.def"
};
