/* SPDX-License-Identifier: MIT
 *
 * The sources of options in their order, and options at run time.
 */
#include "api/options.h"

#include <errno.h>

#include "api/options_table.h"
#include "core/config.h"
#include "core/log.h"
#include "os/process.h"

#define RULES_PATH "/etc/ringfence.conf"
#define STDERR 2

/* A program may define this to bring options of its own. */
__attribute__((weak, visibility("default"))) const char *
__ringfence_default_options(void);

static int
parse_program(void)
{
    const char *text = NULL;

    if (__ringfence_default_options != NULL) {
        text = __ringfence_default_options();
    }
    return text == NULL ? 0
                        : rfi_options_parse(text, RFI_OPTIONS_PROGRAM, false);
}

static int
parse_variable(const char *name, rfi_options_source_t source, bool secure)
{
    const char *text = rfi_process_environment(name);

    if (text == NULL || *text == '\0') {
        return 0;
    }
    return rfi_options_parse(text, source, secure);
}

int
rfi_options_load(void)
{
    bool secure = rfi_process_is_secure();

    /* Weakest first: what comes later overrides. */
    int mistakes =
        rfi_options_read_rules(RULES_PATH, rfi_process_executable(), secure);
    mistakes += parse_program();
    mistakes += parse_variable("RINGFENCE_MODE", RFI_OPTIONS_MODE, secure);
    mistakes +=
        parse_variable("RINGFENCE_OPTIONS", RFI_OPTIONS_VARIABLE, secure);

    if (rfi_process_environment_is_cut()) {
        rfi_log_warning("the environment is too large to be read this early; "
                        "options in it may have been missed");
    }
    if (rfi_config_get(help)) {
        rfi_options_print(STDERR);
    }
    if (mistakes != 0 && rfi_config_get(strict_options)) {
        rfi_log_warning("strict_options: giving up after %d mistake%s",
                        mistakes, mistakes == 1 ? "" : "s");
        rfi_process_exit(1);
    }
    return mistakes;
}

int
rfi_options_get(const char *key, int64_t *value)
{
    const rfi_option_t *option = rfi_option_find(rfi_slice_of(key));

    if (option == NULL) {
        return -ENOENT;
    }
    *value = atomic_load_explicit(option->value, memory_order_relaxed);
    return 0;
}

int
rfi_options_set(const char *key, int64_t value)
{
    const rfi_option_t *option = rfi_option_find(rfi_slice_of(key));

    if (option == NULL) {
        return -ENOENT;
    }
    if (!option->run_time) {
        return -EPERM;
    }
    if (!rfi_option_accepts(option, value)) {
        return -EINVAL;
    }
    atomic_store_explicit(option->value, value, memory_order_relaxed);
    return 0;
}

int
rfi_options_set_text(const char *key, const char *text)
{
    const rfi_option_t *option = rfi_option_find(rfi_slice_of(key));
    int64_t value;

    if (option == NULL) {
        return -ENOENT;
    }
    if (!rfi_option_read(option, rfi_slice_of(text), &value)) {
        return option->run_time ? -EINVAL : -EPERM;
    }
    return rfi_options_set(key, value);
}
