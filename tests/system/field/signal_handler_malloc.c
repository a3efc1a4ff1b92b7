/* SPDX-License-Identifier: MIT
 *
 * Case 24: handlers that allocate although POSIX forbids it, as crash
 * reporters and profilers do. Argument `timer`: a timer interrupts a busy
 * allocator every 100 us and allocates. `backtrace`: the first backtrace(),
 * which loads a library, happens in such a handler. `crash_exit` and
 * `crash_jump`: a free block is overwritten so that the allocator itself
 * faults or aborts, and the handler allocates, then ends the program or
 * jumps out of it. A release heap may die of this, but never hang.
 */
#include <execinfo.h>
#include <setjmp.h>
#include <signal.h>
#include <sys/time.h>

#include "case.h"

static volatile sig_atomic_t handled;
static sigjmp_buf landing;

static void
use_heap(void)
{
    free(opaque(malloc(64)));
    free(opaque(malloc(MIB)));
}

static void
allocate_in_handler(int signal_number)
{
    (void)signal_number;
    handled = handled + 1;
    use_heap();
}

static void
trace_in_handler(int signal_number)
{
    void *frames[32];

    (void)signal_number;
    handled = handled + 1;
    (void)backtrace(frames, 32);
}

static void
exit_in_handler(int signal_number)
{
    (void)signal_number;
    use_heap();
    say("OK\n");
    _exit(3);
}

static void
jump_in_handler(int signal_number)
{
    (void)signal_number;
    use_heap();
    siglongjmp(landing, 1);
}

static void
catch_signal(int signal_number, void (*handler)(int))
{
    struct sigaction action;

    memset(&action, 0, sizeof(action));
    action.sa_handler = handler;
    action.sa_flags = SA_RESTART | SA_NODEFER;
    EXPECT(sigaction(signal_number, &action, NULL) == 0);
}

static void
interrupt_every(long microseconds)
{
    struct itimerval timer;

    timer.it_interval.tv_sec = 0;
    timer.it_interval.tv_usec = microseconds;
    timer.it_value = timer.it_interval;
    EXPECT(setitimer(ITIMER_REAL, &timer, NULL) == 0);
}

static void
churn_for(long milliseconds)
{
    static void *slots[256];
    long end = now_ms() + milliseconds;
    uint64_t state = 23;

    while (now_ms() < end) {
        for (int i = 0; i < 100; i++) {
            void **slot = &slots[next_random(&state) % COUNT_OF(slots)];

            free(*slot);
            *slot = malloc(random_size(&state, 64 * KIB));
        }
    }
}

static void
be_interrupted(void (*handler)(int))
{
    catch_signal(SIGALRM, handler);
    interrupt_every(100);
    churn_for((long)scaled(5000, 1000));
    interrupt_every(0);
    EXPECT(handled > 0);
}

/* Overwrites the links of free blocks, then allocates what they lead to. */
static void
break_heap(void)
{
    void *blocks[64];

    for (size_t i = 0; i < COUNT_OF(blocks); i++) {
        blocks[i] = malloc(48);
    }
    for (size_t i = 0; i < COUNT_OF(blocks); i++) {
        free(blocks[i]);
        *(volatile uintptr_t *)opaque(blocks[i]) = 0x4141414141414141;
    }
    for (int i = 0; i < 1000; i++) {
        *(volatile char *)opaque(malloc(48)) = 1;
    }
}

static void
crash(void (*handler)(int))
{
    catch_signal(SIGSEGV, handler);
    catch_signal(SIGABRT, handler);
    if (sigsetjmp(landing, 1) == 0) {
        break_heap();
    }
    use_heap();
}

int
main(int count, char **arguments)
{
    const char *variant = count > 1 ? arguments[1] : "timer";

    if (strcmp(variant, "timer") == 0) {
        be_interrupted(allocate_in_handler);
    } else if (strcmp(variant, "backtrace") == 0) {
        be_interrupted(trace_in_handler);
    } else if (strcmp(variant, "crash_exit") == 0) {
        crash(exit_in_handler);
    } else {
        crash(jump_in_handler);
    }
    return finish();
}
