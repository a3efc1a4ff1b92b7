/* SPDX-License-Identifier: MIT
 *
 * Case 1: what the plug-in offers to its host. See deepbind_plugin.c.
 */
#ifndef RINGFENCE_TESTS_FIELD_DEEPBIND_PLUGIN_H
#define RINGFENCE_TESTS_FIELD_DEEPBIND_PLUGIN_H

#include <stddef.h>

typedef struct plugin {
    void (*free_what_libc_returns)(void);
    void *(*resize)(void *block, size_t size);
    void *(*allocate)(size_t size);
} plugin_t;

#endif
