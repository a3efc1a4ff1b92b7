/* SPDX-License-Identifier: MIT
 *
 * The library, what it says about its options, and the benchmark's parts.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench.h"
#include "doctor.h"
#include "places.h"
#include "probe.h"
#include "say.h"

#define RULE_FILE "/etc/ringfence.conf"

static void
check_preload(void)
{
    const char *preload = getenv("LD_PRELOAD");
    if (preload == NULL || *preload == '\0') {
        doctor_find(DOCTOR_OK, "LD_PRELOAD", text_format("not set"), NULL);
        return;
    }
    doctor_find(DOCTOR_WARN, "LD_PRELOAD", text_format("%s", preload),
                "`ringfence run` puts its library in front and keeps these");
}

static void
check_rules(void)
{
    if (access(RULE_FILE, F_OK) != 0) {
        doctor_find(DOCTOR_OK, "rule file", text_format("no " RULE_FILE), NULL);
    } else if (access(RULE_FILE, R_OK) != 0) {
        doctor_find(DOCTOR_WARN, "rule file",
                    text_format(RULE_FILE " cannot be read"),
                    "its rules have no effect on this user's programs");
    } else {
        doctor_find(DOCTOR_OK, "rule file", text_format(RULE_FILE), NULL);
    }
}

/* What the library prints while it loads is about its options. */
static void
check_options(const probe_t *probe)
{
    if (*probe->messages != '\0') {
        const size_t length = strcspn(probe->messages, "\n");
        doctor_find(DOCTOR_WARN, "options",
                    text_format("%.*s", (int)length, probe->messages),
                    "look at RINGFENCE_OPTIONS and RINGFENCE_MODE");
    }
    if (*probe->options != '\0') {
        doctor_find(DOCTOR_OK, "options in effect",
                    memory_check(strdup(probe->options)), NULL);
    }
}

static void
check_loading(const char *path)
{
    probe_t probe = probe_preload(path);
    char *provider = realpath(probe.provider, NULL);

    if (!probe.ran) {
        const int length = (int)strcspn(probe.messages, "\n");
        doctor_find(DOCTOR_BROKEN, "loading",
                    text_format("a program dies under it%s%.*s",
                                length != 0 ? ": " : "", length,
                                probe.messages),
                    "`ringfence run ls` shows more");
    } else if (provider == NULL || strcmp(provider, path) != 0) {
        doctor_find(DOCTOR_BROKEN, "loading",
                    text_format("malloc still comes from %s", probe.provider),
                    "the loader refuses the library, or another preloaded "
                    "one comes first");
    } else {
        doctor_find(
            DOCTOR_OK, "loading",
            text_format("serves malloc, version %s",
                        *probe.version != '\0' ? probe.version : "unknown"),
            NULL);
        check_options(&probe);
    }
    free(provider);
    probe_free(&probe);
}

void
doctor_check_library(const char *wanted)
{
    check_preload();
    check_rules();
    char *path = places_library(wanted);
    if (path == NULL) {
        doctor_find(DOCTOR_BROKEN, "library", text_format("not usable"),
                    "--library or RINGFENCE_LIBRARY names it");
        return;
    }
    doctor_find(DOCTOR_OK, "library", text_format("%s", path), NULL);
    check_loading(path);
    free(path);
}

static void
check_peers(void)
{
    const bench_options_t options = {.peers_only = true};
    bench_allocators_t found = {0};
    char *names = text_format("%s", "");

    bench_allocators_find(&options, &found);
    for (size_t i = 0; i < found.count; i++) {
        char *longer = text_format("%s%s%s", names, i == 0 ? "" : ", ",
                                   found.items[i].name);
        free(names);
        names = longer;
    }
    if (found.count == 0) {
        free(names);
        names = text_format("none");
    }
    doctor_find(DOCTOR_OK, "bench peers", names, NULL);
    bench_allocators_free(&found);
}

static void
check_helper(const char *program, const char *purpose)
{
    char *path = places_program(program);
    if (path != NULL) {
        doctor_find(DOCTOR_OK, program, path, NULL);
    } else {
        doctor_find(DOCTOR_WARN, program, text_format("not installed"),
                    purpose);
    }
}

void
doctor_check_bench(void)
{
    check_peers();
    check_helper("gnuplot", "`ringfence bench --svg` needs it");
    check_helper("strace", "`ringfence bench` counts system calls with it");
}
