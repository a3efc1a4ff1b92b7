/* SPDX-License-Identifier: MIT
 *
 * LD_PRELOAD, RINGFENCE_MODE and RINGFENCE_OPTIONS.
 */
#include "environment.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "say.h"

/* Is `entry` an entry of the list, or the start of one? */
static bool
list_has(const char *list, const char *entry, bool whole)
{
    const size_t length = strlen(entry);
    const char *at = list;

    while (*at != '\0') {
        const size_t word = strcspn(at, ": ,\t\n");
        if (strncmp(at, entry, length) == 0 && (!whole || word == length)) {
            return true;
        }
        at += word + (at[word] != '\0');
    }
    return false;
}

static void
set(const char *name, char *value)
{
    setenv(name, value, 1);
    free(value);
}

void
environment_preload(const char *library)
{
    const char *old = getenv("LD_PRELOAD");
    if (old == NULL || *old == '\0') {
        setenv("LD_PRELOAD", library, 1);
    } else if (!list_has(old, library, true)) {
        set("LD_PRELOAD", text_format("%s:%s", library, old));
    }
}

/* A value that holds a separator is quoted, as the parser of the options
 * expects it. */
void
environment_add_option(const char *assignment)
{
    const char *old = getenv("RINGFENCE_OPTIONS");
    const char *before = old == NULL ? "" : old;
    const char *colon = *before == '\0' ? "" : ":";
    const char *value = strchr(assignment, '=') + 1;
    const char *quote = "";

    if (strpbrk(value, ": ,\t\n") != NULL) {
        quote = strchr(value, '\'') == NULL ? "'" : "\"";
    }
    set("RINGFENCE_OPTIONS",
        text_format("%s%s%.*s%s%s%s", before, colon, (int)(value - assignment),
                    assignment, quote, value, quote));
}

void
environment_set_mode(const char *mode)
{
    const char *options = getenv("RINGFENCE_OPTIONS");

    setenv("RINGFENCE_MODE", mode, 1);
    if (options != NULL && list_has(options, "mode=", false)) {
        char *assignment = text_format("mode=%s", mode);
        environment_add_option(assignment);
        free(assignment);
    }
}

void
environment_clear(void)
{
    unsetenv("LD_PRELOAD");
    unsetenv("RINGFENCE_MODE");
    unsetenv("RINGFENCE_OPTIONS");
}
