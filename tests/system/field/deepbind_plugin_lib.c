/* SPDX-License-Identifier: MIT
 *
 * Case 1, the plug-in. Opened with RTLD_DEEPBIND its own malloc and free are
 * libc's, while libc's strdup, getline and friends allocate through whatever
 * was preloaded. The host reads `plugin` with dlsym.
 */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "deepbind_plugin.h"

static void
free_names(void)
{
    struct dirent **entries = NULL;
    int count = scandir("/", &entries, NULL, alphasort);

    for (int i = 0; i < count; i++) {
        free(entries[i]);
    }
    free(entries);
    free(realpath("/usr/../usr", NULL));
}

static void
free_texts(void)
{
    char *text = NULL;

    if (asprintf(&text, "%d %s", 42, "from asprintf") > 0) {
        free(text);
    }
    free(strdup("from strdup"));
    free(strndup("from strndup", 4));
}

static void
free_streams(void)
{
    char *line = NULL;
    char *text = NULL;
    size_t capacity = 0;
    size_t size = 0;
    FILE *file = fopen("/proc/self/status", "r");
    FILE *memory = open_memstream(&text, &size);

    while (file != NULL && getline(&line, &capacity, file) > 0) {
        (void)fputs(line, memory);
    }
    if (file != NULL) {
        (void)fclose(file);
    }
    (void)fclose(memory);
    free(line);
    free(text);
}

static void
free_what_libc_returns(void)
{
    for (int i = 0; i < 100; i++) {
        free_names();
        free_texts();
        free_streams();
    }
}

static void *
resize(void *block, size_t size)
{
    return realloc(block, size);
}

static void *
allocate(size_t size)
{
    return malloc(size);
}

extern const plugin_t plugin;
const plugin_t plugin = {free_what_libc_returns, resize, allocate};
