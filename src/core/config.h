/* SPDX-License-Identifier: MIT
 *
 * The one record of all options, with one field per row of options.def.
 * Written by api/options.c before the first block is handed out; afterwards
 * read-only but for the run-time tunables, which are relaxed atomics.
 */
#ifndef RINGFENCE_CORE_CONFIG_H
#define RINGFENCE_CORE_CONFIG_H

#include <stdatomic.h>
#include <stdint.h>

typedef enum rfi_mode { RFI_MODE_RELEASE } rfi_mode_t;

typedef enum rfi_unowned {
    RFI_UNOWNED_ABORT,
    RFI_UNOWNED_IGNORE,
    RFI_UNOWNED_FORWARD
} rfi_unowned_t;

typedef enum rfi_thp {
    RFI_THP_DEFAULT,
    RFI_THP_ALWAYS,
    RFI_THP_NEVER
} rfi_thp_t;

/* In options.def: no value of this option only strengthens. */
#define RFI_NOT_STRONG INT64_MIN

typedef struct rfi_config {
#define RFI_OPTION_ENUM(key, def, strong, run_time, values, quoted, text) \
    _Atomic(int64_t) key;
#define RFI_OPTION_INT(key, def, min, max, run_time, quoted, text) \
    _Atomic(int64_t) key;
#define RFI_OPTION_BOOL(key, def, strong, run_time, quoted, text) \
    _Atomic(int64_t) key;
#include "core/options.def"
} rfi_config_t;

/* Holds the defaults of options.def until options are parsed. */
extern rfi_config_t rfi_config;

/* The value of an option: rfi_config_get(dirty_decay_ms). Relaxed, since no
 * option orders other memory. */
#define rfi_config_get(key) \
    atomic_load_explicit(&rfi_config.key, memory_order_relaxed)

#endif
