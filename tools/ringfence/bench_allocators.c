/* SPDX-License-Identifier: MIT
 *
 * The allocators of a benchmark: the C library's, peers that the loader can
 * find, those that the user names, and ringfence in its modes. Each is asked
 * who serves malloc before it takes part.
 */
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "options.h"
#include "places.h"
#include "probe.h"
#include "say.h"
#include "words.h"

typedef struct peer {
    const char *name;
    const char *library;
} peer_t;

static const peer_t peers[] = {
    {"mimalloc", "libmimalloc.so.2"},
    {"jemalloc", "libjemalloc.so.2"},
    {"tcmalloc", "libtcmalloc_minimal.so.4"},
    {"tbbmalloc", "libtbbmalloc_proxy.so.2"},
};

static void
add(bench_allocators_t *allocators, bench_allocator_t allocator)
{
    const size_t bytes = (allocators->count + 1) * sizeof(*allocators->items);
    allocators->items = memory_check(realloc(allocators->items, bytes));
    allocators->items[allocators->count++] = allocator;
}

/* The file that malloc comes from under this preload, or NULL when that is
 * where it comes from anyway. */
static char *
provider_of(const char *preload)
{
    probe_t plain = probe_preload(NULL);
    probe_t probe = probe_preload(preload);
    char *provider = NULL;

    if (probe.ran && strcmp(probe.provider, plain.provider) != 0) {
        provider = memory_check(strdup(probe.provider));
    }
    probe_free(&plain);
    probe_free(&probe);
    return provider;
}

static bool
is_wanted(const bench_options_t *options, const char *name)
{
    return options->allocators == NULL || words_have(options->allocators, name);
}

static void
add_peers(const bench_options_t *options, bench_allocators_t *allocators)
{
    for (size_t i = 0; i < sizeof(peers) / sizeof(peers[0]); i++) {
        if (options->quick || !is_wanted(options, peers[i].name)) {
            continue;
        }
        char *provider = provider_of(peers[i].library);
        if (provider != NULL) {
            add(allocators,
                (bench_allocator_t){.name = memory_check(strdup(peers[i].name)),
                                    .preload = provider});
        } else if (!options->peers_only) {
            say_note("%s: not installed, left out", peers[i].name);
        }
    }
}

static bool
add_named(const char *with, const bench_options_t *options,
          bench_allocators_t *allocators)
{
    const char *equals = strchr(with, '=');
    if (equals == NULL || equals == with || equals[1] == '\0') {
        say_error("--with '%s' is not of the form NAME=PATH", with);
        return false;
    }
    char *name = memory_check(strndup(with, (size_t)(equals - with)));
    char *path = realpath(equals + 1, NULL);
    if (path == NULL) {
        path = memory_check(strdup(equals + 1));
    }
    char *provider = provider_of(path);
    if (provider == NULL) {
        say_error("--with %s: preloading it does not change malloc", with);
        free(name);
        free(path);
        return false;
    }
    free(provider);
    if (is_wanted(options, name)) {
        add(allocators, (bench_allocator_t){.name = name, .preload = path});
    }
    return true;
}

/* One row, or one for each mode that this version has. */
static void
add_ringfence(const bench_options_t *options, const char *library,
              bench_allocators_t *allocators)
{
    if (!options->modes) {
        add(allocators,
            (bench_allocator_t){.name = memory_check(strdup("ringfence")),
                                .preload = memory_check(strdup(library)),
                                .ours = true,
                                .options = options});
        return;
    }
    for (const char *at = option_modes(); *at != '\0';) {
        const size_t length = strcspn(at, "|");
        add(allocators,
            (bench_allocator_t){
                .name = text_format("ringfence-%.*s", (int)length, at),
                .preload = memory_check(strdup(library)),
                .mode = memory_check(strndup(at, length)),
                .ours = true,
                .options = options});
        at += length + (at[length] == '|');
    }
}

static void
find_ringfence(const bench_options_t *options, bench_allocators_t *allocators)
{
    char *library = options->library != NULL ? places_library(options->library)
                                             : places_library_quietly();
    char *provider = library != NULL ? provider_of(library) : NULL;

    if (provider != NULL) {
        add_ringfence(options, library, allocators);
    } else {
        say_warning("ringfence itself is left out: %s",
                    library == NULL ? "its library was not found"
                                    : "its library does not load");
    }
    free(provider);
    free(library);
}

bool
bench_allocators_find(const bench_options_t *options,
                      bench_allocators_t *allocators)
{
    if (options->peers_only) {
        add_peers(options, allocators);
        return true;
    }
    if (is_wanted(options, "glibc")) {
        add(allocators,
            (bench_allocator_t){.name = memory_check(strdup("glibc"))});
    }
    add_peers(options, allocators);
    for (size_t i = 0; i < options->with_count; i++) {
        if (!add_named(options->with[i], options, allocators)) {
            return false;
        }
    }
    if (is_wanted(options, "ringfence")) {
        find_ringfence(options, allocators);
    }
    if (allocators->count == 0) {
        say_error("no allocator is left to measure");
        return false;
    }
    return true;
}

void
bench_allocators_free(bench_allocators_t *allocators)
{
    for (size_t i = 0; i < allocators->count; i++) {
        free(allocators->items[i].name);
        free(allocators->items[i].preload);
        free(allocators->items[i].mode);
    }
    free(allocators->items);
}
