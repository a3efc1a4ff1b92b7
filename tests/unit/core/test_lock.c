/* SPDX-License-Identifier: MIT
 *
 * Locks: exclusion under load, trying, waiting in the kernel, what fork's
 * child does with them, and the order of ranks where it is asserted.
 */
#include "core/lock.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/assert.h"
#include "core/log.h"
#include "support/child.h"
#include "support/test.h"

#define THREADS 4
#define ROUNDS 50000

static rfi_lock_t low = RFI_LOCK_INIT(RFI_RANK_SHELF);
static rfi_lock_t low_too = RFI_LOCK_INIT(RFI_RANK_SHELF);
static rfi_lock_t high = RFI_LOCK_INIT(RFI_RANK_META);

static uint64_t shared; /* not atomic: guarded by `low` */

static void *
count_under_lock(void *argument)
{
    for (int i = 0; i < ROUNDS; i++) {
        rfi_lock_acquire(&low);
        shared++;
        rfi_lock_release(&low);
    }
    return argument;
}

static void
excludes_other_threads(void **state)
{
    pthread_t threads[THREADS];

    (void)state;
    shared = 0;
    for (int i = 0; i < THREADS; i++) {
        pthread_create(&threads[i], NULL, count_under_lock, NULL);
    }
    for (int i = 0; i < THREADS; i++) {
        pthread_join(threads[i], NULL);
    }
    assert_int_equal(shared, THREADS * ROUNDS);
    assert_int_equal(low.state, 0);
}

static void *
try_low(void *argument)
{
    bool *taken = argument;

    *taken = rfi_lock_try(&low);
    if (*taken) {
        rfi_lock_release(&low);
    }
    return NULL;
}

static bool
other_thread_can_take_low(void)
{
    pthread_t thread;
    bool taken = false;

    pthread_create(&thread, NULL, try_low, &taken);
    pthread_join(thread, NULL);
    return taken;
}

static void
tries_without_waiting(void **state)
{
    (void)state;
    assert_true(rfi_lock_try(&low));
    assert_false(rfi_lock_try(&low));
    assert_false(other_thread_can_take_low());
    rfi_lock_release(&low);
    assert_true(other_thread_can_take_low());
}

static void *
acquire_low(void *argument)
{
    errno = 1234;
    rfi_lock_acquire(&low);
    shared++;
    rfi_lock_release(&low);
    return errno == 1234 ? argument : NULL;
}

static void
waits_in_the_kernel_and_is_woken(void **state)
{
    pthread_t threads[THREADS];
    void *kept_errno;
    uint64_t waits = rfi_lock_waits();

    (void)state;
    shared = 0;
    rfi_lock_acquire(&low);
    for (int i = 0; i < THREADS; i++) {
        pthread_create(&threads[i], NULL, acquire_low, state);
    }
    while (rfi_lock_waits() < waits + THREADS) {
        nanosleep(&(struct timespec){0, 1000000}, NULL);
    }
    assert_int_equal(shared, 0);
    assert_int_equal(low.state, 2);
    rfi_lock_release(&low);
    for (int i = 0; i < THREADS; i++) {
        pthread_join(threads[i], &kept_errno);
        assert_non_null(kept_errno);
    }
    assert_int_equal(shared, THREADS);
    assert_int_equal(low.state, 0);
}

static void
does_not_wait_when_free(void **state)
{
    uint64_t waits = rfi_lock_waits();

    (void)state;
    for (int i = 0; i < 1000; i++) {
        rfi_lock_acquire(&low);
        rfi_lock_acquire(&high);
        rfi_lock_release(&high);
        rfi_lock_release(&low);
    }
    assert_int_equal(rfi_lock_waits(), waits);
}

static void
reset_and_take_all(void *argument)
{
    (void)argument;
    rfi_lock_reset(&low);
    rfi_lock_reset(&low_too);
    rfi_lock_reset(&high);
    rfi_lock_forget_held();
    rfi_lock_acquire(&low);
    rfi_lock_acquire(&high);
    rfi_lock_release(&high);
    rfi_lock_release(&low);
    _exit(low.state == 0 && high.state == 0 ? 7 : 1);
}

static void
child_of_fork_frees_what_was_held(void **state)
{
    child_t child;

    (void)state;
    rfi_lock_acquire(&low);
    rfi_lock_acquire_next(&low_too);
    rfi_lock_acquire(&high);
    child_run(&child, reset_and_take_all, NULL);
    assert_int_equal(child.exit_status, 7);
    rfi_lock_release(&high);
    rfi_lock_release(&low_too);
    rfi_lock_release(&low);
    assert_true(other_thread_can_take_low());
}

static void
take_falling_ranks(void *argument)
{
    (void)argument;
    rfi_log_start();
    rfi_lock_acquire(&high);
    rfi_lock_acquire(&low);
}

static void
take_equal_ranks(void *argument)
{
    (void)argument;
    rfi_log_start();
    rfi_lock_acquire(&low);
    rfi_lock_acquire(&low_too);
}

static void
take_next_of_falling_rank(void *argument)
{
    (void)argument;
    rfi_log_start();
    rfi_lock_acquire(&high);
    rfi_lock_acquire_next(&low);
}

static void
release_what_is_free(void *argument)
{
    (void)argument;
    rfi_log_start();
    rfi_lock_release(&low);
}

/* Only builds with assertions look; there the process aborts with a line. */
static void
assert_refused(void (*body)(void *))
{
    child_t child;

    child_run(&child, body, NULL);
    if (RFI_ASSERTING) {
        assert_int_equal(child.signal, SIGABRT);
        assert_non_null(strstr(child.text, "internal-error: assertion"));
    } else {
        assert_int_equal(child.exit_status, 0);
    }
}

static void
asserts_the_order_of_ranks(void **state)
{
    (void)state;
    assert_refused(take_falling_ranks);
    assert_refused(take_equal_ranks);
    assert_refused(take_next_of_falling_rank);
    assert_refused(release_what_is_free);
}

static void
ignores_ranks_when_trying(void **state)
{
    (void)state;
    rfi_lock_acquire(&high);
    assert_true(rfi_lock_try(&low));
    assert_true(rfi_lock_try(&low_too));
    rfi_lock_release(&high);
    rfi_lock_release(&low);
    rfi_lock_acquire(&high);
    rfi_lock_release(&high);
    rfi_lock_release(&low_too);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(excludes_other_threads),
        cmocka_unit_test(tries_without_waiting),
        cmocka_unit_test(waits_in_the_kernel_and_is_woken),
        cmocka_unit_test(does_not_wait_when_free),
        cmocka_unit_test(child_of_fork_frees_what_was_held),
        cmocka_unit_test(asserts_the_order_of_ranks),
        cmocka_unit_test(ignores_ranks_when_trying),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
