/* SPDX-License-Identifier: MIT
 *
 * Case 16: functions of libc that return memory or use it behind the scenes.
 * All of them, a thousand times, without growth; at the end libc frees what
 * it kept for itself. Those that need files are in libc_file_callers.c.
 */
#include <argz.h>
#include <dlfcn.h>
#include <envz.h>
#include <execinfo.h>
#include <glob.h>
#include <iconv.h>
#include <locale.h>
#include <netdb.h>
#include <obstack.h>
#include <pwd.h>
#include <regex.h>
#include <search.h>
#include <spawn.h>
#include <stdarg.h>
#include <wchar.h>
#include <wordexp.h>

#include "case.h"

#define obstack_chunk_alloc malloc
#define obstack_chunk_free free

static void
copy_texts(void)
{
    char *text = NULL;

    free(strdup("a text"));
    free(strndup("a text", 3));
    free(wcsdup(L"a wide text"));
    EXPECT(asprintf(&text, "%0*d", 3000, 7) == 3000);
    free(text);
}

static void
compile_patterns(void)
{
    regex_t pattern;
    glob_t paths;
    wordexp_t words;

    EXPECT(regcomp(&pattern, "^(a|bc+)*[[:alpha:]]{1,200}(x.*y|z)$",
                   REG_EXTENDED) == 0);
    EXPECT(regexec(&pattern, "abcccdefz", 0, NULL, 0) == 0);
    regfree(&pattern);
    EXPECT(glob("/*", 0, NULL, &paths) == 0);
    globfree(&paths);
    EXPECT(wordexp("one $HOME ~ three", &words, WRDE_NOCMD) == 0);
    wordfree(&words);
}

static void
ask_databases(void)
{
    struct addrinfo *found = NULL;

    EXPECT(getaddrinfo("127.0.0.1", "80", NULL, &found) == 0);
    freeaddrinfo(found);
    EXPECT(getpwnam("root") != NULL);
}

static void
switch_locales(void)
{
    locale_t locale = newlocale(LC_ALL_MASK, "C.UTF-8", (locale_t)0);
    iconv_t converter = iconv_open("UTF-16", "ISO-8859-1");

    EXPECT(locale != (locale_t)0);
    freelocale(locale);
    EXPECT(setlocale(LC_ALL, "C.UTF-8") != NULL);
    EXPECT(setlocale(LC_ALL, "C") != NULL);
    EXPECT(converter != (iconv_t)-1);
    EXPECT(iconv_close(converter) == 0);
}

static int
compare_ints(const void *left, const void *right)
{
    int a = *(const int *)left;
    int b = *(const int *)right;

    return (a > b) - (a < b);
}

static void
sort_numbers(void)
{
    static int numbers[256 * 1024];
    uint64_t state = 5;

    for (size_t i = 0; i < COUNT_OF(numbers); i++) {
        numbers[i] = (int)(next_random(&state) >> 40);
    }
    qsort(numbers, COUNT_OF(numbers), sizeof(int), compare_ints);
    for (size_t i = 1; i < COUNT_OF(numbers); i++) {
        EXPECT(numbers[i - 1] <= numbers[i]);
    }
}

static void
build_tables(void)
{
    void *root = NULL;
    ENTRY entry = {strdup("key"), NULL};

    for (int i = 0; i < 50; i++) {
        int *number = malloc(sizeof(*number));

        *number = i * 37 % 50;
        EXPECT(tsearch(number, &root, compare_ints) != NULL);
    }
    tdestroy(root, free);
    EXPECT(hcreate(100) != 0);
    EXPECT(hsearch(entry, ENTER) != NULL);
    hdestroy();
    free(entry.key);
}

static void
build_vectors(void)
{
    char *vector = NULL;
    size_t length = 0;
    struct obstack stack;

    for (int i = 0; i < 40; i++) {
        EXPECT(argz_add(&vector, &length, "argument") == 0);
    }
    EXPECT(envz_add(&vector, &length, "NAME", "value") == 0);
    free(vector);
    obstack_init(&stack);
    for (int i = 0; i < 100; i++) {
        memcpy(obstack_alloc(&stack, 10), "some bytes", 10);
    }
    obstack_free(&stack, NULL);
}

static void
describe_processes(void)
{
    posix_spawn_file_actions_t actions;
    void *frames[20];
    int depth = backtrace(frames, COUNT_OF(frames));

    free(backtrace_symbols(frames, depth));
    EXPECT(posix_spawn_file_actions_init(&actions) == 0);
    EXPECT(posix_spawn_file_actions_addopen(&actions, 3, "/dev/null", O_RDONLY,
                                            0) == 0);
    EXPECT(posix_spawn_file_actions_destroy(&actions) == 0);
}

static void
call_all(void)
{
    copy_texts();
    compile_patterns();
    ask_databases();
    switch_locales();
    build_tables();
    build_vectors();
    describe_processes();
}

int
main(void)
{
    size_t rounds = scaled(1000, 200);
    void (*free_resources)(void);
    long before = 0;

    for (size_t i = 0; i < rounds; i++) {
        call_all();
        if (i % 100 == 0) {
            sort_numbers();
        }
        if (i == 101) {
            before = rss_kib();
        }
    }
    EXPECT_AT_MOST(rss_kib() - before, 2 * 1024);
    free_resources =
        (void (*)(void))dlsym(RTLD_DEFAULT, "__libc_freeres");
    say("OK\n");
    if (free_resources != NULL) {
        free_resources();
    }
    _exit(0);
}
