/* SPDX-License-Identifier: MIT
 *
 * Two instances of the library in one process, the second one opened from a
 * copy of the file: a block of the one that is given to the other is named as
 * what it is.
 */
#include <dlfcn.h>
#include <ringfence/alloc.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "support/child.h"
#include "support/self.h"
#include "support/test.h"

static char copy_path[64];

static void
copy_bytes(FILE *from, FILE *to)
{
    char bytes[4096];
    size_t count;

    while ((count = fread(bytes, 1, sizeof(bytes), from)) != 0) {
        assert_int_equal(fwrite(bytes, 1, count, to), count);
    }
}

/* A file of its own, since the linker opens each file only once. */
static int
copy_library(void **state)
{
    Dl_info info;
    void *symbol = dlsym(RTLD_DEFAULT, "rf_malloc");

    (void)state;
    strcpy(copy_path, "/tmp/ringfence-copy-XXXXXX");
    int file = mkstemp(copy_path);

    if (symbol == NULL || dladdr(symbol, &info) == 0 || file < 0) {
        return 1;
    }
    FILE *from = fopen(info.dli_fname, "rb");
    FILE *to = fdopen(file, "wb");

    assert_non_null(from);
    assert_non_null(to);
    copy_bytes(from, to);
    return fclose(from) != 0 || fclose(to) != 0;
}

static int
remove_copy(void **state)
{
    (void)state;
    return unlink(copy_path);
}

typedef struct other {
    void *(*allocate)(size_t);
    void (*release)(void *);
} other_t;

static other_t
open_other(void)
{
    void *handle = dlopen(copy_path, RTLD_NOW | RTLD_GLOBAL);
    other_t other = {NULL, NULL};

    if (handle == NULL) {
        (void)fprintf(stderr, "%s\n", dlerror());
        _exit(1);
    }
    *(void **)&other.allocate = dlsym(handle, "rf_malloc");
    *(void **)&other.release = dlsym(handle, "rf_free");
    return other;
}

static void
free_blocks_of_other(void *argument)
{
    other_t other = open_other();
    size_t size = *(size_t *)argument;

    rf_free(rf_malloc(1));
    rf_free(other.allocate(size));
}

static void
other_frees_blocks(void *argument)
{
    other_t other = open_other();
    size_t size = *(size_t *)argument;

    other.release(rf_malloc(size));
}

static void
expect_named(void (*mistake)(void *), size_t size)
{
    child_t child;

    child_run(&child, mistake, &size);
    assert_int_equal(child.signal, SIGABRT);
    if (strstr(child.text, "block of another ringfence instance") == NULL) {
        fail_msg("%zu bytes: %s", size, child.text);
    }
}

static void
names_the_others_blocks(void **state)
{
    (void)state;
    for (size_t size = 16; size <= (size_t)64 << 20; size *= 64) {
        expect_named(free_blocks_of_other, size);
        expect_named(other_frees_blocks, size);
    }
}

static void
use_both(void *argument)
{
    other_t other = open_other();

    (void)argument;
    for (size_t size = 1; size < (size_t)64 << 20; size *= 3) {
        char *ours = rf_malloc(size);
        char *theirs = other.allocate(size);

        memset(ours, 1, size);
        memset(theirs, 2, size);
        if (ours[size - 1] != 1 || theirs[0] != 2) {
            _exit(1);
        }
        other.release(theirs);
        rf_free(ours);
    }
}

static void
both_work_side_by_side(void **state)
{
    child_t child;

    (void)state;
    child_run(&child, use_both, NULL);
    assert_int_equal(child.exit_status, 0);
    assert_string_equal(child.text, "");
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_the_others_blocks),
        cmocka_unit_test(both_work_side_by_side),
    };

    return cmocka_run_group_tests(tests, copy_library, remove_copy);
}
