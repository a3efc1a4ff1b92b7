/* SPDX-License-Identifier: MIT
 *
 * What the allocator must know about threads: identity, waiting, and the
 * moments at which threads end and processes fork.
 */
#ifndef RINGFENCE_OS_THREAD_H
#define RINGFENCE_OS_THREAD_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/* A number that no other live thread has: the thread pointer. No system
 * call. Never zero. */
uintptr_t rfi_thread_identity(void);

/* Hint to the processor that this is a spin loop. */
static inline void
rfi_thread_pause(void)
{
#if defined(__x86_64__)
    __builtin_ia32_pause();
#else
    __asm__ volatile("yield" ::: "memory");
#endif
}

/* Waits while *word == expected (may wake without reason), and wakes at most
 * one waiter. Private futexes. */
void rfi_thread_wait(_Atomic(uint32_t) *word, uint32_t expected);
void rfi_thread_wake_one(_Atomic(uint32_t) *word);

/* Installs the function that runs at the end of every thread that has called
 * rfi_thread_arm_exit(). Call once; returns 0 or a negative errno. */
int rfi_thread_install_exit_hook(void (*hook)(void));

/* Arms the hook for the calling thread. The hook may arm it again to be
 * called in the next round of destructors. Never allocates. */
void rfi_thread_arm_exit(void);

/* Registers the handlers around fork (pthread_atfork). Returns 0 or a
 * negative errno. May allocate inside libc: the caller serves that from the
 * emergency arena. */
int rfi_thread_install_fork_hooks(void (*prepare)(void), void (*parent)(void),
                                  void (*child)(void));

#endif
