/* SPDX-License-Identifier: MIT
 *
 * The directory answers for every address, knows spans that lie in two
 * leaves, and starts under a small limit of address space. It never looks at
 * the memory that it describes, so the addresses here are made up.
 */
#include "mem/directory.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>

#include "mem_test.h"
#include "support/child.h"

#define MADE_UP ((uintptr_t)40 << 30)

static void *
at(uintptr_t address)
{
    return (void *)address;
}

static void
is_total(void **state)
{
    int local;
    static int global;

    (void)state;
    assert_null(rfi_directory_find_head(NULL));
    assert_null(rfi_directory_find_head(&local));
    assert_null(rfi_directory_find_head(&global));
    assert_null(rfi_directory_find(at(UINTPTR_MAX)));
    assert_null(rfi_directory_find(at(UINTPTR_MAX / 2)));
    for (int bit = 0; bit < 64; bit++) {
        assert_null(rfi_directory_find_head(at((uintptr_t)1 << bit)));
    }
    assert_int_equal(rfi_directory_cover(at(UINTPTR_MAX - 65535), 65536),
                     -ENOMEM);
}

static void
covers_once(void **state)
{
    (void)state;
    assert_int_equal(rfi_directory_cover(at(MADE_UP), RFI_GRANULE_SIZE), 0);
    size_t mapped = rfi_directory_mapped();

    assert_int_equal(rfi_directory_cover(at(MADE_UP), GIB), 0);
    assert_int_equal(rfi_directory_mapped(), mapped);
    assert_non_null(rfi_directory_find(at(MADE_UP)));
    assert_null(rfi_directory_find(at(MADE_UP + GIB)));
    /* The last byte decides: one more GiB. */
    assert_int_equal(rfi_directory_cover(at(MADE_UP), GIB + 1), 0);
    assert_int_equal(rfi_directory_mapped(), mapped + 2 * MIB);
}

static void
read_byte(void *address)
{
    (void)*(volatile char *)address;
}

static void
leaves_have_guards(void **state)
{
    char *leaf = (char *)rfi_directory_find(at(MADE_UP));
    child_t child;

    (void)state;
    child_run(&child, read_byte, leaf - 1);
    assert_int_equal(child.signal, SIGSEGV);
    child_run(&child, read_byte, leaf + 2 * MIB);
    assert_int_equal(child.signal, SIGSEGV);
}

static void
finds_heads(void **state)
{
    /* Three granules of one leaf and two of the next. */
    char *start = (char *)MADE_UP + GIB - 3 * RFI_GRANULE_SIZE;

    (void)state;
    assert_int_equal(rfi_directory_cover(start, 5 * RFI_GRANULE_SIZE), 0);
    rfi_span_t *head = rfi_directory_mark_head(start, RFI_SPAN_LARGE, 5);

    rfi_directory_mark_secondary(start, 1, 5);
    assert_ptr_equal(rfi_directory_address(head), start);
    assert_int_equal(head->granules, 5);
    assert_null(rfi_directory_find_head(start - 1));
    for (size_t i = 0; i < 5 * RFI_GRANULE_SIZE; i += 4096) {
        assert_ptr_equal(rfi_directory_find_head(start + i), head);
    }
    assert_null(rfi_directory_find_head(start + 5 * RFI_GRANULE_SIZE));

    rfi_directory_clear_secondary(start, 3, 5);
    assert_null(rfi_directory_find_head(start + 3 * RFI_GRANULE_SIZE));
    assert_ptr_equal(rfi_directory_find_head(start + 2 * RFI_GRANULE_SIZE),
                     head);
    rfi_directory_clear_secondary(start, 1, 3);
    atomic_store(&head->owner_fast, (struct rfi_heap *)start);
    rfi_directory_clear_head(head);
    assert_true(is_all((const char *)head, sizeof(*head), 0));
}

static void
ignores_secondaries_of_nothing(void **state)
{
    /* As a reader may see it while another thread frees the span. */
    char *start = (char *)MADE_UP + 10 * RFI_GRANULE_SIZE;

    (void)state;
    rfi_directory_mark_secondary(start, 3, 4);
    assert_null(rfi_directory_find_head(start + 3 * RFI_GRANULE_SIZE));
    rfi_directory_clear_secondary(start, 3, 4);
}

static void
record_span(rfi_span_t *span, void *context)
{
    rfi_span_t ***next = context;

    *(*next)++ = span;
}

static void
walks_in_address_order(void **state)
{
    static const uintptr_t offsets[] = {0, 5 * 65536, GIB - 65536, GIB};
    rfi_span_t *seen[8] = {NULL};
    rfi_span_t **next = seen;

    (void)state;
    for (size_t i = 0; i < 4; i++) {
        rfi_directory_mark_head(at(MADE_UP + offsets[i]), RFI_SPAN_SMALL, 1);
    }
    rfi_directory_walk(record_span, &next);
    assert_int_equal(next - seen, 4);
    for (size_t i = 0; i < 4; i++) {
        assert_ptr_equal(rfi_directory_address(seen[i]),
                         at(MADE_UP + offsets[i]));
        rfi_directory_clear_head(seen[i]);
    }
    next = seen;
    rfi_directory_walk(record_span, &next);
    assert_ptr_equal(next, seen);
}

static void
survives_failing_calls(void **state)
{
    uintptr_t address = MADE_UP + 100 * GIB;

    (void)state;
    rfi_fail_arm(1, FOR_EVER);
    assert_int_equal(rfi_directory_cover(at(address), 65536), -ENOMEM);
    never_fail();
    assert_null(rfi_directory_find(at(address)));
    rfi_fail_arm(2, FOR_EVER); /* from the second step of mapping a leaf */
    assert_int_equal(rfi_directory_cover(at(address), 65536), -ENOMEM);
    never_fail();
    assert_null(rfi_directory_find(at(address)));
    rfi_fail_arm(2, 1); /* no guards to be had: a leaf all the same */
    assert_int_equal(rfi_directory_cover(at(address), 65536), 0);
    assert_non_null(rfi_directory_find(at(address)));
}

static void
start_under_limit(void *argument)
{
    struct rlimit limit = {.rlim_cur = 64 * MIB, .rlim_max = 64 * MIB};

    (void)argument;
    if (setrlimit(RLIMIT_AS, &limit) != 0) {
        exit(2);
    }
    rfi_span_t *head = rfi_granule_take(1, 1, RFI_SPAN_SMALL);
    void *large = rfi_large_alloc(200 * KIB, 16, true);
    void *huge = rfi_large_alloc(20 * MIB, 16, true);

    exit(head != NULL && large != NULL && huge != NULL ? 0 : 1);
}

static void
starts_under_a_small_limit(void **state)
{
    child_t child;

    (void)state;
#if defined(RFI_ASAN) || defined(RFI_TSAN)
    skip(); /* the sanitizers themselves need more */
#endif
    child_run(&child, start_under_limit, NULL);
    assert_int_equal(child.signal, 0);
    assert_int_equal(child.exit_status, 0);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(is_total),
        cmocka_unit_test(covers_once),
        cmocka_unit_test(leaves_have_guards),
        cmocka_unit_test(finds_heads),
        cmocka_unit_test(ignores_secondaries_of_nothing),
        cmocka_unit_test(walks_in_address_order),
        cmocka_unit_test(survives_failing_calls),
        cmocka_unit_test(starts_under_a_small_limit),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
