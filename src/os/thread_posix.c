/* SPDX-License-Identifier: MIT
 *
 * Threads by pthreads and private futexes. The exit hook is the destructor of
 * one pthread key, whose value only says "armed".
 */
#include "os/thread.h"

#include <linux/futex.h>
#include <pthread.h>
#include <stddef.h>

#include "os/syscall.h"

static pthread_key_t exit_key;
static void (*exit_hook)(void);

uintptr_t
rfi_thread_identity(void)
{
#if defined(__x86_64__)
    /* The first word of the thread control block is its own address. */
    uintptr_t self;

    __asm__("mov %%fs:0, %0" : "=r"(self));
    return self;
#else
    return (uintptr_t)__builtin_thread_pointer();
#endif
}

void
rfi_thread_wait(_Atomic(uint32_t) *word, uint32_t expected)
{
    (void)rfi_syscall6(SYS_futex, (long)word, FUTEX_WAIT_PRIVATE,
                       (long)expected, 0, 0, 0);
}

void
rfi_thread_wake_one(_Atomic(uint32_t) *word)
{
    (void)rfi_syscall3(SYS_futex, (long)word, FUTEX_WAKE_PRIVATE, 1);
}

static void
run_exit_hook(void *armed)
{
    (void)armed;
    exit_hook();
}

int
rfi_thread_install_exit_hook(void (*hook)(void))
{
    exit_hook = hook;
    return -pthread_key_create(&exit_key, run_exit_hook);
}

void
rfi_thread_arm_exit(void)
{
    /* glibc keeps the values of a thread's first 32 keys in the thread itself
     * and allocates for higher ones only; the key is made at start, before
     * the program makes its own. The pointer means nothing but "not NULL". */
    (void)pthread_setspecific(exit_key, &exit_key);
}

int
rfi_thread_install_fork_hooks(void (*prepare)(void), void (*parent)(void),
                              void (*child)(void))
{
    return -pthread_atfork(prepare, parent, child);
}
