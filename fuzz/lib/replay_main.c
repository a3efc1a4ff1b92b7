/* SPDX-License-Identifier: MIT
 *
 * Runs a target on files, or on all files of directories, in the order of
 * their names; without libFuzzer, so that any compiler and any build can
 * replay what a fuzzer has found. The name of each input is printed first:
 * when the target dies, the last line says on what.
 */
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "target.h"

static unsigned inputs;

static void
fail(const char *path)
{
    perror(path);
    exit(2);
}

static void
replay_file(const char *path, size_t size)
{
    FILE *file = fopen(path, "rb");
    uint8_t *data = malloc(size + 1);

    if (file == NULL || data == NULL || fread(data, 1, size, file) != size) {
        fail(path);
    }
    fclose(file);
    printf("%s: %zu bytes\n", path, size);
    fflush(stdout);
    LLVMFuzzerTestOneInput(data, size);
    free(data);
    inputs++;
}

static int
is_visible(const struct dirent *entry)
{
    return entry->d_name[0] != '.';
}

static void
replay(const char *path)
{
    struct stat status;
    struct dirent **entries;

    if (stat(path, &status) != 0) {
        fail(path);
    }
    if (!S_ISDIR(status.st_mode)) {
        replay_file(path, (size_t)status.st_size);
        return;
    }
    int count = scandir(path, &entries, is_visible, alphasort);

    for (int i = 0; i < count; i++) {
        char child[4096];

        snprintf(child, sizeof(child), "%s/%s", path, entries[i]->d_name);
        replay(child);
        free(entries[i]);
    }
    free(entries);
}

int
main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        replay(argv[i]);
    }
    printf("%u inputs\n", inputs);
    return inputs == 0;
}
