/* SPDX-License-Identifier: MIT
 *
 * Threads: identities, the exit hook and its later rounds, waiting and waking,
 * the hooks around fork.
 */
#include "os/thread.h"

#include <errno.h>
#include <pthread.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "support/test.h"

#define THREADS 8

static void *
return_identity(void *argument)
{
    pthread_barrier_t *all_alive = argument;
    uintptr_t identity = rfi_thread_identity();

    pthread_barrier_wait(all_alive);
    return identity == rfi_thread_identity() ? (void *)identity : NULL;
}

static void
live_threads_have_different_identities(void **state)
{
    pthread_t threads[THREADS];
    void *identities[THREADS + 1];
    pthread_barrier_t all_alive;

    (void)state;
    pthread_barrier_init(&all_alive, NULL, THREADS);
    for (int i = 0; i < THREADS; i++) {
        pthread_create(&threads[i], NULL, return_identity, &all_alive);
    }
    for (int i = 0; i < THREADS; i++) {
        pthread_join(threads[i], &identities[i]);
    }
    identities[THREADS] = (void *)rfi_thread_identity();
    for (int i = 0; i <= THREADS; i++) {
        assert_non_null(identities[i]);
        for (int j = 0; j < i; j++) {
            assert_ptr_not_equal(identities[i], identities[j]);
        }
    }
    pthread_barrier_destroy(&all_alive);
}

static _Atomic(int) hook_calls;
static _Atomic(int) rounds_left;

static void
count_and_arm_again(void)
{
    hook_calls++;
    if (rounds_left > 0) {
        rounds_left--;
        rfi_thread_arm_exit();
    }
}

static void *
arm_if_told(void *armed)
{
    if (armed != NULL) {
        errno = 1234;
        rfi_thread_arm_exit();
        rfi_thread_arm_exit();
        return errno == 1234 ? NULL : armed;
    }
    return NULL;
}

static int
calls_at_exit(void *armed, int rounds)
{
    pthread_t thread;
    void *complaint;

    hook_calls = 0;
    rounds_left = rounds;
    pthread_create(&thread, NULL, arm_if_told, armed);
    pthread_join(thread, &complaint);
    assert_null(complaint);
    return hook_calls;
}

static void
calls_the_hook_of_armed_threads(void **state)
{
    int yes = 1;

    (void)state;
    assert_int_equal(rfi_thread_install_exit_hook(count_and_arm_again), 0);
    assert_int_equal(calls_at_exit(NULL, 0), 0);
    assert_int_equal(calls_at_exit(&yes, 0), 1);
    assert_int_equal(calls_at_exit(&yes, 2), 3);
}

static _Atomic(uint32_t) word;
static _Atomic(int) woken;

static void *
wait_for_one(void *argument)
{
    while (word == 0) {
        rfi_thread_wait(&word, 0);
    }
    woken++;
    return argument;
}

static void
waits_until_woken(void **state)
{
    pthread_t threads[2];

    (void)state;
    errno = 1234;
    for (int i = 0; i < 2; i++) {
        pthread_create(&threads[i], NULL, wait_for_one, NULL);
    }
    nanosleep(&(struct timespec){0, 20000000}, NULL);
    assert_int_equal(woken, 0);
    word = 1;
    rfi_thread_wake_one(&word);
    rfi_thread_wake_one(&word);
    for (int i = 0; i < 2; i++) {
        pthread_join(threads[i], NULL);
    }
    assert_int_equal(woken, 2);
    assert_int_equal(errno, 1234);
}

static void
does_not_wait_for_another_value(void **state)
{
    _Atomic(uint32_t) here = 5;

    (void)state;
    errno = 1234;
    rfi_thread_wait(&here, 4);
    rfi_thread_wake_one(&here);
    assert_int_equal(errno, 1234);
}

static void
pauses(void **state)
{
    (void)state;
    rfi_thread_pause();
}

static char order[8];
static size_t order_count;

static void
note_prepare(void)
{
    order[order_count++] = 'p';
}

static void
note_parent(void)
{
    order[order_count++] = 'P';
}

static void
note_child(void)
{
    order[order_count++] = 'C';
}

static void
calls_the_hooks_around_fork(void **state)
{
    int status;

    (void)state;
    assert_int_equal(
        rfi_thread_install_fork_hooks(note_prepare, note_parent, note_child),
        0);

    pid_t process = fork();

    if (process == 0) {
        _exit(order[0] == 'p' && order[1] == 'C' && order_count == 2 ? 0 : 1);
    }
    assert_int_equal(waitpid(process, &status, 0), process);
    assert_int_equal(status, 0);
    assert_string_equal(order, "pP");
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(live_threads_have_different_identities),
        cmocka_unit_test(calls_the_hook_of_armed_threads),
        cmocka_unit_test(waits_until_woken),
        cmocka_unit_test(does_not_wait_for_another_value),
        cmocka_unit_test(pauses),
        cmocka_unit_test(calls_the_hooks_around_fork),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
