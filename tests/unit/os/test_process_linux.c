/* SPDX-License-Identifier: MIT
 *
 * Actions on the process: writing everything, ending for sure, random bytes
 * also where getrandom is forbidden, the clock, small files.
 */
#include "os/process.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "support/child.h"
#include "support/test.h"

#define TRANSFER_BYTES (1024 * 1024)

static char
pattern(size_t position)
{
    return (char)(position * 31 >> 3);
}

static const char *complaint;

/* Reads slowly, so that the writer meets a full pipe. */
static void *
read_and_check(void *argument)
{
    int fd = *(int *)argument;
    char buffer[5000];
    size_t position = 0;
    ssize_t got;

    while ((got = read(fd, buffer, sizeof(buffer))) != 0) {
        for (ssize_t i = 0; i < got; i++) {
            if (buffer[i] != pattern(position++)) {
                complaint = "wrong byte";
            }
        }
        if (position % 7 == 0) {
            nanosleep(&(struct timespec){0, 1000000}, NULL);
        }
    }
    if (position != TRANSFER_BYTES) {
        complaint = "wrong count";
    }
    return NULL;
}

static void
do_nothing(int number)
{
    (void)number;
}

static void
set_alarm_interval(suseconds_t microseconds)
{
    struct itimerval interval = {{0, microseconds}, {0, microseconds}};

    setitimer(ITIMER_REAL, &interval, NULL);
}

static void
writes_everything_despite_signals(void **state)
{
    int ends[2];
    pthread_t reader;
    sigset_t alarm_only;
    char *bytes = malloc(TRANSFER_BYTES);

    (void)state;
    for (size_t i = 0; i < TRANSFER_BYTES; i++) {
        bytes[i] = pattern(i);
    }
    assert_int_equal(pipe(ends), 0);

    /* The alarm must hit the writer: the reader inherits it blocked. */
    sigemptyset(&alarm_only);
    sigaddset(&alarm_only, SIGALRM);
    pthread_sigmask(SIG_BLOCK, &alarm_only, NULL);
    pthread_create(&reader, NULL, read_and_check, &ends[0]);
    sigaction(SIGALRM, &(struct sigaction){.sa_handler = do_nothing}, NULL);
    set_alarm_interval(2000);
    pthread_sigmask(SIG_UNBLOCK, &alarm_only, NULL);
    rfi_process_write(ends[1], bytes, TRANSFER_BYTES);
    set_alarm_interval(0);
    close(ends[1]);
    pthread_join(reader, NULL);
    assert_null(complaint);
    close(ends[0]);
    free(bytes);
}

static void
gives_up_where_it_cannot_write(void **state)
{
    (void)state;
    errno = 1234;
    rfi_process_write(-1, "x", 1);
    rfi_process_write(-1, NULL, 0);
    assert_int_equal(errno, 1234);
}

static void
abort_plainly(void *argument)
{
    (void)argument;
    rfi_process_abort();
}

static void
abort_while_blocked(void *argument)
{
    sigset_t all;

    sigfillset(&all);
    sigprocmask(SIG_BLOCK, &all, NULL);
    abort_plainly(argument);
}

static void
abort_while_ignored(void *argument)
{
    signal(SIGABRT, SIG_IGN);
    abort_plainly(argument);
}

static void
say_handled(int number)
{
    (void)number;
    rfi_process_write(STDERR_FILENO, "handled.", 8);
}

static void
abort_with_handler(void *argument)
{
    signal(SIGABRT, say_handled);
    abort_plainly(argument);
}

static void *
abort_in_thread(void *argument)
{
    abort_plainly(argument);
    return NULL;
}

static void
abort_in_second_thread(void *argument)
{
    pthread_t thread;

    pthread_create(&thread, NULL, abort_in_thread, argument);
    pthread_join(thread, NULL);
}

static void
assert_aborts(void (*body)(void *), const char *text)
{
    child_t child;

    child_run(&child, body, NULL);
    assert_int_equal(child.signal, SIGABRT);
    assert_string_equal(child.text, text);
}

static void
aborts_in_every_case(void **state)
{
    (void)state;
    assert_aborts(abort_plainly, "");
    assert_aborts(abort_while_blocked, "");
    assert_aborts(abort_while_ignored, "");
    assert_aborts(abort_with_handler, "handled.");
    assert_aborts(abort_in_second_thread, "");
}

static void
must_not_run(void)
{
    rfi_process_write(STDERR_FILENO, "atexit ran", 10);
}

static void
exit_with_three(void *argument)
{
    (void)argument;
    atexit(must_not_run);
    rfi_process_exit(3);
}

static void
exits_at_once(void **state)
{
    child_t child;

    (void)state;
    child_run(&child, exit_with_three, NULL);
    assert_int_equal(child.exit_status, 3);
    assert_string_equal(child.text, "");
}

static void
fills_with_different_random_bytes(void **state)
{
    uint8_t first[1000];
    uint8_t second[1000];
    bool seen[256] = {false};
    size_t different = 0;

    (void)state;
    errno = 1234;
    rfi_process_entropy(first, sizeof(first));
    rfi_process_entropy(second, sizeof(second));
    assert_memory_not_equal(first, second, sizeof(first));
    for (size_t i = 0; i < sizeof(first); i++) {
        different += !seen[first[i]];
        seen[first[i]] = true;
    }
    assert_true(different > 200);
    assert_int_equal(errno, 1234);
}

static void
fills_exactly_what_was_asked_for(void **state)
{
    uint8_t bytes[34] = {0};

    (void)state;
    rfi_process_entropy(bytes + 1, 0);
    assert_int_equal(bytes[1], 0);
    for (int i = 0; i < 100; i++) {
        rfi_process_entropy(bytes + 1, 32);
        assert_int_equal(bytes[0], 0);
        assert_int_equal(bytes[33], 0);
    }
}

/* From now on getrandom fails with EPERM, as in some sandboxes. */
static int
forbid_getrandom(void)
{
    struct sock_filter code[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_getrandom, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog program = {4, code};

    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
           prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0;
}

static void
compare_weak_entropy(void *argument)
{
    uint8_t first[40];
    uint8_t second[40];

    (void)argument;
    if (forbid_getrandom() != 0) {
        _exit(2);
    }
    rfi_process_entropy(first, sizeof(first));
    rfi_process_entropy(second, sizeof(second));
    _exit(memcmp(first, second, sizeof(first)) == 0);
}

static void
has_random_bytes_without_getrandom(void **state)
{
    child_t child;

    (void)state;
    child_run(&child, compare_weak_entropy, NULL);
    if (child.exit_status == 2) {
        skip(); /* no seccomp here */
    }
    assert_int_equal(child.exit_status, 0);
    assert_int_equal(child.signal, 0);
}

static uint64_t
libc_clock_ms(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC_COARSE, &now);
    return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

static void
reads_the_coarse_clock(void **state)
{
    (void)state;
    for (int i = 0; i < 1000; i++) {
        uint64_t before = libc_clock_ms();
        uint64_t ours = rfi_process_clock_ms();
        uint64_t after = libc_clock_ms();

        assert_true(before <= ours && ours <= after);
    }
}

static void
clock_advances(void **state)
{
    uint64_t start = rfi_process_clock_ms();

    (void)state;
    nanosleep(&(struct timespec){0, 30000000}, NULL);
    assert_true(rfi_process_clock_ms() - start >= 20);
}

static void
knows_its_id(void **state)
{
    (void)state;
    assert_int_equal(rfi_process_id(), getpid());
}

static void
reads_small_files_and_cuts_larger_ones(void **state)
{
    char path[] = "/tmp/ringfence-test-XXXXXX";
    char buffer[16];
    int fd = mkstemp(path);

    (void)state;
    assert_true(fd >= 0);
    assert_int_equal(rfi_process_read_file(path, buffer, 16), 0);
    assert_string_equal(buffer, "");
    assert_int_equal(write(fd, "0123456789", 10), 10);
    close(fd);
    assert_int_equal(rfi_process_read_file(path, buffer, 16), 10);
    assert_string_equal(buffer, "0123456789");
    assert_int_equal(rfi_process_read_file(path, buffer, 11), 10);
    assert_int_equal(rfi_process_read_file(path, buffer, 10), 9);
    assert_string_equal(buffer, "012345678");
    assert_int_equal(rfi_process_read_file(path, buffer, 1), 0);
    assert_string_equal(buffer, "");
    unlink(path);
}

static void
tells_why_a_file_cannot_be_read(void **state)
{
    char buffer[16];

    (void)state;
    errno = 1234;
    assert_int_equal(rfi_process_read_file("/no/such/file", buffer, 16),
                     -ENOENT);
    assert_int_equal(rfi_process_read_file("/", buffer, 16), -EISDIR);
    assert_string_equal(buffer, "");
    assert_int_equal(errno, 1234);
}

/* Reading must leave no descriptor open. */
static void
closes_files(void **state)
{
    char buffer[16];
    int before = open("/dev/null", O_RDONLY);

    (void)state;
    close(before);
    rfi_process_read_file("/dev/null", buffer, 16);
    rfi_process_read_file("/", buffer, 16);

    int after = open("/dev/null", O_RDONLY);

    close(after);
    assert_int_equal(before, after);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(writes_everything_despite_signals),
        cmocka_unit_test(gives_up_where_it_cannot_write),
        cmocka_unit_test(aborts_in_every_case),
        cmocka_unit_test(exits_at_once),
        cmocka_unit_test(fills_with_different_random_bytes),
        cmocka_unit_test(fills_exactly_what_was_asked_for),
        cmocka_unit_test(has_random_bytes_without_getrandom),
        cmocka_unit_test(reads_the_coarse_clock),
        cmocka_unit_test(clock_advances),
        cmocka_unit_test(knows_its_id),
        cmocka_unit_test(reads_small_files_and_cuts_larger_ones),
        cmocka_unit_test(tells_why_a_file_cannot_be_read),
        cmocka_unit_test(closes_files),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
