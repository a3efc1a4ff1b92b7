/* SPDX-License-Identifier: MIT
 *
 * Faults: names, the exact line, what happens without a sink and with one.
 */
#include "core/fault.h"

#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "support/child.h"
#include "support/fault_catcher.h"
#include "support/test.h"

static const rfi_fault_t inside_of_block = {
    .kind = RFI_FAULT_BAD_FREE,
    .address = (const void *)0x1234,
    .reason = "inside a block",
    .block = (const void *)0x1220,
    .block_size = 64,
    .function = "free",
    .knob = "unowned",
};

static const rfi_fault_t bare = {
    .kind = RFI_FAULT_INTERNAL,
    .reason = "a list is broken",
    .function = "malloc",
};

static void
every_kind_has_its_own_name(void **state)
{
    (void)state;
    for (unsigned i = 0; i < RFI_FAULT_KINDS; i++) {
        const char *name = rfi_fault_name((rfi_fault_kind_t)i);

        assert_non_null(name);
        assert_true(strlen(name) > 3);
        for (unsigned j = 0; j < i; j++) {
            assert_string_not_equal(name, rfi_fault_name((rfi_fault_kind_t)j));
        }
    }
    assert_string_equal(rfi_fault_name(RFI_FAULT_BAD_FREE), "bad-free");
    assert_string_equal(rfi_fault_name(RFI_FAULT_INTERNAL), "internal-error");
}

static void
print(void *argument)
{
    rfi_fault_print(argument);
}

static void
raise_fault(void *argument)
{
    rfi_fault_raise(argument);
}

static void
assert_ends(void (*body)(void *), const rfi_fault_t *fault, int signal,
            const char *text)
{
    rfi_fault_t copy = *fault;
    child_t child;

    child_run(&child, body, &copy);
    assert_int_equal(child.signal, signal);
    assert_string_equal(child.text, text);
}

static void
prints_one_line(void **state)
{
    (void)state;
    assert_ends(print, &inside_of_block, 0,
                "ringfence: bad-free 0x1234: inside a block (64 bytes at "
                "0x1220) (free); see option unowned\n");
    assert_ends(print, &bare, 0,
                "ringfence: internal-error 0x0: a list is broken (malloc)\n");
}

static void
aborts_without_a_sink(void **state)
{
    (void)state;
    assert_ends(raise_fault, &bare, SIGABRT,
                "ringfence: internal-error 0x0: a list is broken (malloc)\n");
}

static void
hands_the_fault_to_the_sink_and_returns(void **state)
{
    (void)state;
    fault_catcher_install();
    rfi_fault_raise(&inside_of_block);
    assert_int_equal(fault_catcher_count, 1);
    assert_memory_equal(&fault_catcher_last, &inside_of_block,
                        sizeof(rfi_fault_t));
    fault_catcher_remove();
    assert_ends(raise_fault, &bare, SIGABRT,
                "ringfence: internal-error 0x0: a list is broken (malloc)\n");
    assert_int_equal(fault_catcher_count, 1);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_kind_has_its_own_name),
        cmocka_unit_test(prints_one_line),
        cmocka_unit_test(aborts_without_a_sink),
        cmocka_unit_test(hands_the_fault_to_the_sink_and_returns),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
