/* SPDX-License-Identifier: MIT
 *
 * The end of a failed assertion. The facts are kept in static memory before
 * anything else happens, so that a debugger or a core dump shows them even
 * when nothing could be printed.
 */
#include "base/assert.h"

#include <stdatomic.h>
#include <stddef.h>

static _Atomic(rfi_assert_sink_t) assert_sink;

/* Written for whoever reads the core dump; volatile, since no code does. */
static volatile struct {
    const char *expression;
    const char *file;
    int line;
} last_failure;

void
rfi_assert_set_sink(rfi_assert_sink_t sink)
{
    /* Pairs with the load in rfi_assert_failed(): what the sink needs was
     * written before it was installed. */
    atomic_store_explicit(&assert_sink, sink, memory_order_release);
}

void
rfi_assert_failed(const char *expression, const char *file, int line)
{
    last_failure.expression = expression;
    last_failure.file = file;
    last_failure.line = line;

    rfi_assert_sink_t sink =
        atomic_load_explicit(&assert_sink, memory_order_acquire);
    if (sink != NULL) {
        sink(expression, file, line);
    }
    __builtin_trap();
}
