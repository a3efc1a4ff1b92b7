/* SPDX-License-Identifier: MIT
 *
 * Who serves malloc? This program can start itself under a preloaded library
 * (`ringfence --probe`) and let the child say from which file its malloc
 * comes. The loader only warns when it cannot preload a file, so without
 * this check a benchmark would measure the C library under another's name.
 */
#ifndef RINGFENCE_TOOL_PROBE_H
#define RINGFENCE_TOOL_PROBE_H

#include <stdbool.h>

typedef struct probe {
    bool ran;       /* the child ended normally */
    char *provider; /* file that malloc comes from, or "" */
    char *version;  /* rf_version() there, or "" */
    char *options;  /* "key=value ..." there, or "" */
    char *messages; /* what it wrote on stderr */
} probe_t;

/* `preload` is a value for LD_PRELOAD, or NULL for none. The environment is
 * otherwise this process's. */
probe_t probe_preload(const char *preload);
void probe_free(probe_t *probe);

#endif
