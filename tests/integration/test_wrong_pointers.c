/* SPDX-License-Identifier: MIT
 *
 * What is no live block ends the process with one line that names the
 * pointer, the reason and the option, or does what that option says.
 */
#include <ringfence/alloc.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/child.h"
#include "support/self.h"
#include "support/test.h"

/* Hides from the compiler where a pointer comes from. */
static void *
opaque(void *pointer)
{
    void *volatile hidden = pointer;

    return hidden;
}

static void
free_libcs_block(void)
{
    rf_free(opaque(malloc(100)));
}

static void
free_stack(void)
{
    char bytes[64];

    rf_free(opaque(bytes));
}

static void
free_inside(void)
{
    char *block = rf_malloc(100);

    rf_free(opaque(block + 16));
}

static void
free_twice(void)
{
    void *block = rf_malloc(100);
    void *again = opaque(block);

    rf_free(block);
    rf_free(again);
}

static void
resize_stack(void)
{
    char bytes[64];

    (void)!rf_realloc(opaque(bytes), 100);
}

static void
measure_stack(void)
{
    char bytes[64];

    (void)rf_usable_size(opaque(bytes));
}

typedef struct mistake {
    const char *name;
    void (*make)(void);
    const char *kind;
    const char *reason;
    const char *option;
} mistake_t;

static const mistake_t mistakes[] = {
    {"free_libcs_block", free_libcs_block, "bad-free", "no memory of ours",
     "unowned"},
    {"free_stack", free_stack, "bad-free", "no memory of ours", "unowned"},
    {"free_inside", free_inside, "bad-free", "inside a block",
     "unowned"},
    {"free_twice", free_twice, "double-free", "free already",
     "abort_on_error"},
    {"resize_stack", resize_stack, "bad-realloc", "no memory of ours",
     "unowned"},
    {"measure_stack", measure_stack, "usable_size", "no memory of ours",
     "unowned"},
};

#define MISTAKES (sizeof(mistakes) / sizeof(mistakes[0]))

static void
make_in_child(child_t *child, const mistake_t *mistake, const char *options)
{
    const char *const arguments[] = {self_path(), mistake->name, NULL};
    const char *const environment[] = {options, NULL};

    child_execute(child, arguments, environment);
}

static void
one_line_then_abort(void **state)
{
    (void)state;
    for (size_t i = 0; i < MISTAKES; i++) {
        child_t child;

        make_in_child(&child, &mistakes[i], "RINGFENCE_OPTIONS=");
        assert_int_equal(child.signal, SIGABRT);
        assert_memory_equal(child.text, "ringfence: ", 11);
        assert_ptr_equal(strchr(child.text, '\n'),
                         child.text + child.count - 1);
        if (strstr(child.text, mistakes[i].kind) == NULL ||
            strstr(child.text, mistakes[i].reason) == NULL ||
            strstr(child.text, mistakes[i].option) == NULL) {
            fail_msg("%s: %s", mistakes[i].name, child.text);
        }
    }
}

/* unowned governs what is no block of ours, abort_on_error the rest. */
static void
options_let_the_process_live(void **state)
{
    (void)state;
    for (size_t i = 0; i < MISTAKES; i++) {
        bool is_unowned = strcmp(mistakes[i].option, "unowned") == 0;
        child_t child;

        make_in_child(&child, &mistakes[i],
                      is_unowned ? "RINGFENCE_OPTIONS=unowned=ignore"
                                 : "RINGFENCE_OPTIONS=abort_on_error=0");
        if (child.exit_status != 0) {
            fail_msg("%s: status %d, signal %d: %s", mistakes[i].name,
                     child.exit_status, child.signal, child.text);
        }
        if (is_unowned) {
            assert_string_equal(child.text, "");
        }
    }
}

int
main(int count, char **arguments)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_line_then_abort),
        cmocka_unit_test(options_let_the_process_live),
    };

    for (size_t i = 0; count > 1 && i < MISTAKES; i++) {
        if (strcmp(arguments[1], mistakes[i].name) == 0) {
            mistakes[i].make();
            rf_free(rf_malloc(100));
            return 0;
        }
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
