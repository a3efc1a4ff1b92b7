/* SPDX-License-Identifier: MIT
 *
 * The functions of ringfence/options.h, and rf_mode(). Each makes sure that
 * the options have been read: a program may ask before it allocates.
 */
#include "ringfence/options.h"

#include <errno.h>
#include <string.h>

#include "api/lifecycle.h"
#include "api/options.h"
#include "api/options_table.h"
#include "core/config.h"
#include "ringfence/stats.h"

static void
read_options_once(void)
{
    if (!rfi_heap_is_attached(rfi_thread_heap)) {
        rfi_lifecycle_attach();
        rfi_lifecycle_operation_done();
    }
}

static int
fail(int error)
{
    errno = error;
    return -1;
}

int
rf_option_get(const char *key, char *value, size_t capacity)
{
    const rfi_option_t *option = rfi_option_find(rfi_slice_of(key));
    char text[RF_OPTION_VALUE_MAX];

    if (option == NULL) {
        return fail(ENOENT);
    }
    read_options_once();
    rfi_option_write(option,
                     atomic_load_explicit(option->value, memory_order_relaxed),
                     text, sizeof(text));
    if (strlen(text) >= capacity) {
        return fail(ERANGE);
    }
    memcpy(value, text, strlen(text) + 1);
    return 0;
}

int
rf_option_set(const char *key, const char *value)
{
    read_options_once();
    int result = rfi_options_set_text(key, value);

    return result == 0 ? 0 : fail(-result);
}

const char *
rf_mode(void)
{
    static const char *const names[] = {[RFI_MODE_RELEASE] = "release"};

    read_options_once();
    return names[rfi_config_get(mode)];
}
