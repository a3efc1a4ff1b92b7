/* SPDX-License-Identifier: MIT
 *
 * Case 16, the callers that work on files, streams and directories: streams
 * in memory, lines that grow to a megabyte, names of paths, buffers given by
 * the caller, pipes to other programs.
 */
#include <dirent.h>
#include <limits.h>
#include <wchar.h>

#include "case.h"

#define LONG_LINE MIB

static void
write_streams(void)
{
    char *text = NULL;
    wchar_t *wide = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&text, &size);

    EXPECT(stream != NULL);
    for (int i = 0; i < 2000; i++) {
        EXPECT(fprintf(stream, "line %d\n", i) > 0);
    }
    EXPECT(fclose(stream) == 0 && strlen(text) == size);
    free(text);
    stream = open_wmemstream(&wide, &size);
    EXPECT(stream != NULL && fputws(L"wide", stream) >= 0);
    EXPECT(fclose(stream) == 0 && wcscmp(wide, L"wide") == 0);
    free(wide);
}

static void
read_lines(void)
{
    static char source[] = "one\ntwo;three\n";
    FILE *stream = fmemopen(source, sizeof(source) - 1, "r");
    char *line = NULL;
    size_t capacity = 0;

    EXPECT(stream != NULL);
    EXPECT(getline(&line, &capacity, stream) == 4);
    EXPECT(getdelim(&line, &capacity, ';', stream) == 4);
    EXPECT(fclose(stream) == 0);
    free(line);
}

static void
read_long_line(void)
{
    static char source[LONG_LINE];
    FILE *stream;
    char *line = NULL;
    size_t capacity = 0;

    memset(source, 'x', sizeof(source));
    stream = fmemopen(source, sizeof(source), "r");
    EXPECT(stream != NULL);
    EXPECT(getdelim(&line, &capacity, '\n', stream) >= (ssize_t)LONG_LINE - 1);
    EXPECT(line[LONG_LINE / 2] == 'x');
    EXPECT(fclose(stream) == 0);
    free(line);
}

static void
name_paths(void)
{
    struct dirent **entries = NULL;
    int count = scandir("/", &entries, NULL, alphasort);

    EXPECT(count > 0);
    for (int i = 0; i < count; i++) {
        free(entries[i]);
    }
    free(entries);
    free(realpath("/usr/../usr", NULL));
    free(getcwd(NULL, 0));
}

static void
open_and_close(void)
{
    static char buffer[100];
    DIR *directory = opendir("/");
    FILE *file = fopen("/proc/self/status", "r");

    EXPECT(directory != NULL && readdir(directory) != NULL);
    EXPECT(closedir(directory) == 0);
    EXPECT(file != NULL && setvbuf(file, buffer, _IOFBF, 100) == 0);
    EXPECT(fgetc(file) != EOF);
    EXPECT(fclose(file) == 0);
}

static void
read_pipe(void)
{
    char text[16] = "";
    FILE *pipe = popen("echo hello", "r");

    EXPECT(pipe != NULL);
    EXPECT(fgets(text, sizeof(text), pipe) != NULL);
    EXPECT(strcmp(text, "hello\n") == 0);
    EXPECT(pclose(pipe) == 0);
}

int
main(void)
{
    size_t rounds = scaled(1000, 200);
    long before = 0;

    for (size_t i = 0; i < rounds; i++) {
        write_streams();
        read_lines();
        name_paths();
        open_and_close();
        if (i % 50 == 0) {
            read_long_line();
            read_pipe();
        }
        if (i == 101) {
            before = rss_kib();
        }
    }
    EXPECT_AT_MOST(rss_kib() - before, 2 * 1024);
    return finish();
}
