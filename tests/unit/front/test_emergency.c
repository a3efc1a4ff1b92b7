/* SPDX-License-Identifier: MIT
 *
 * The emergency arena: blocks without a heap, refusals, and starting anew
 * when the last block is back.
 */
#include "front/emergency.h"

#include <pthread.h>
#include <string.h>

#include "mem/directory.h"
#include "mem/span.h"
#include "support/test.h"

#define THREADS 4
#define ROUNDS 20000

static char *first_block;

static void
refuses_before_the_start(void **state)
{
    char byte;

    (void)state;
    assert_null(rfi_emergency_alloc(16, 16));
    assert_false(rfi_emergency_free(&byte));
    assert_int_equal(rfi_emergency_size(&byte), 0);
}

static void
starts_with_a_span_of_its_own(void **state)
{
    (void)state;
    assert_true(rfi_emergency_start());
    first_block = rfi_emergency_alloc(1, 1);
    assert_non_null(first_block);
    rfi_span_t *head = rfi_directory_find_head(first_block);

    assert_int_equal(head->kind, RFI_SPAN_EMERGENCY);
    assert_ptr_equal(rfi_directory_find_head(first_block + 100000), head);
    assert_true(rfi_emergency_free(first_block));
}

static void
gives_zeroed_aligned_blocks(void **state)
{
    static const size_t sizes[] = {0, 1, 15, 16, 17, 1000, 70000};

    (void)state;
    for (size_t align = 1; align <= 65536; align *= 2) {
        for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
            char *block = rfi_emergency_alloc(sizes[i], align);

            assert_non_null(block);
            assert_int_equal((uintptr_t)block % align, 0);
            assert_int_equal((uintptr_t)block % 16, 0);
            assert_int_equal(rfi_emergency_size(block), sizes[i]);
            for (size_t n = 0; n < sizes[i]; n++) {
                assert_int_equal(block[n], 0);
            }
            memset(block, 0xa5, sizes[i]);
            assert_true(rfi_emergency_free(block));
        }
    }
}

static void
starts_anew_when_all_is_free(void **state)
{
    void *one = rfi_emergency_alloc(100, 1);
    void *two = rfi_emergency_alloc(100, 1);

    (void)state;
    assert_ptr_equal(one, first_block);
    assert_true(rfi_emergency_free(one));
    void *three = rfi_emergency_alloc(100, 1);

    assert_ptr_not_equal(three, one);
    assert_true(rfi_emergency_free(two));
    assert_true(rfi_emergency_free(three));
    assert_ptr_equal(rfi_emergency_alloc(100, 1), one);
    assert_true(rfi_emergency_free(one));
}

static void
refuses_what_is_no_live_block(void **state)
{
    char *block = rfi_emergency_alloc(100, 1);

    (void)state;
    assert_false(rfi_emergency_free(block + 16));
    assert_false(rfi_emergency_free(block + 1));
    assert_false(rfi_emergency_free(block - 16));
    assert_false(rfi_emergency_free(&block));
    assert_false(rfi_emergency_free(NULL));
    assert_true(rfi_emergency_free(block));
    assert_false(rfi_emergency_free(block));
    assert_int_equal(rfi_emergency_size(block), 0);
}

static void
ends_when_the_arena_is_full(void **state)
{
    void *most = rfi_emergency_alloc(RFI_CHUNK_SIZE - 64, 1);

    (void)state;
    assert_non_null(most);
    assert_null(rfi_emergency_alloc(64, 1));
    assert_null(rfi_emergency_alloc(RFI_CHUNK_SIZE, 1));
    assert_null(rfi_emergency_alloc(SIZE_MAX, 1));
    assert_null(rfi_emergency_alloc(1, RFI_CHUNK_SIZE * 2));
    assert_true(rfi_emergency_free(most));
    most = rfi_emergency_alloc(64, 1);
    assert_ptr_equal(most, first_block);
    assert_true(rfi_emergency_free(most));
}

static void *
allocate_and_free(void *argument)
{
    unsigned char mark = *(const unsigned char *)argument;
    uintptr_t wrong = 0;

    for (unsigned i = 0; i < ROUNDS; i++) {
        unsigned char *block = rfi_emergency_alloc(32, 1);

        if (block == NULL) {
            continue; /* others have filled it for the moment */
        }
        wrong += block[0] != 0 || block[31] != 0;
        memset(block, mark, 32);
        wrong += block[0] != mark || block[31] != mark;
        wrong += !rfi_emergency_free(block);
    }
    return (void *)wrong;
}

static void
serves_threads_at_once(void **state)
{
    static const unsigned char marks[THREADS] = {1, 2, 3, 4};
    pthread_t threads[THREADS];
    void *wrong;

    (void)state;
    for (unsigned i = 0; i < THREADS; i++) {
        pthread_create(&threads[i], NULL, allocate_and_free,
                       (void *)(uintptr_t)&marks[i]);
    }
    for (unsigned i = 0; i < THREADS; i++) {
        pthread_join(threads[i], &wrong);
        assert_null(wrong);
    }
    void *block = rfi_emergency_alloc(1, 1);

    assert_ptr_equal(block, first_block);
    assert_true(rfi_emergency_free(block));
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(refuses_before_the_start),
        cmocka_unit_test(starts_with_a_span_of_its_own),
        cmocka_unit_test(gives_zeroed_aligned_blocks),
        cmocka_unit_test(starts_anew_when_all_is_free),
        cmocka_unit_test(refuses_what_is_no_live_block),
        cmocka_unit_test(ends_when_the_arena_is_full),
        cmocka_unit_test(serves_threads_at_once),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
