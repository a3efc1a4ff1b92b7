/* SPDX-License-Identifier: MIT
 *
 * Both sides of the probe: the child that looks at itself, and the parent
 * that reads three lines from it.
 */
#include "probe.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "child.h"
#include "commands.h"
#include "environment.h"
#include "options.h"
#include "places.h"
#include "say.h"

static void
print_options(void)
{
    char value[64];
    int (*get)(const char *, char *, size_t) =
        (int (*)(const char *, char *, size_t))dlsym(RTLD_DEFAULT,
                                                     "rf_option_get");
    for (size_t i = 0; get != NULL && i < option_row_count; i++) {
        if (get(option_rows[i].key, value, sizeof(value)) == 0) {
            printf("%s%s=%s", i == 0 ? "" : " ", option_rows[i].key, value);
        }
    }
    putchar('\n');
}

int
command_probe(int argc, char **argv)
{
    Dl_info info = {.dli_fname = ""};
    (void)argc;
    (void)argv;

    dladdr(dlsym(RTLD_DEFAULT, "malloc"), &info);
    const char *(*version)(void) =
        (const char *(*)(void))dlsym(RTLD_DEFAULT, "rf_version");
    free(malloc(1));
    printf("%s\n%s\n", info.dli_fname, version != NULL ? version() : "");
    print_options();
    return 0;
}

static void
become_probe(void *preload)
{
    unsetenv("LD_PRELOAD");
    if (preload != NULL) {
        environment_preload(preload);
    }
    execl(places_self(), "ringfence", "--probe", (char *)NULL);
}

/* The text up to the next line end, which *text is moved behind. */
static char *
take_line(const char **text)
{
    const size_t length = strcspn(*text, "\n");
    char *line = memory_check(strndup(*text, length));
    *text += length + ((*text)[length] == '\n');
    return line;
}

probe_t
probe_preload(const char *preload)
{
    enum { SECONDS = 20 };
    char *copy = preload != NULL ? memory_check(strdup(preload)) : NULL;
    child_result_t child = child_run(become_probe, copy, SECONDS);
    const char *at = child.output;
    probe_t probe = {.ran = child.error == NULL};

    probe.provider = take_line(&at);
    probe.version = take_line(&at);
    probe.options = take_line(&at);
    probe.messages = memory_check(strdup(child.messages));
    child_free(&child);
    free(copy);
    return probe;
}

void
probe_free(probe_t *probe)
{
    free(probe->provider);
    free(probe->version);
    free(probe->options);
    free(probe->messages);
}
