/* SPDX-License-Identifier: MIT
 *
 * What the allocator does to the process and its surroundings: write, end,
 * read a small file, look at the clock, ask for random bytes.
 */
#include "os/process.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/random.h>
#include <time.h>

#include "base/random.h"
#include "os/auxiliary.h"
#include "os/syscall.h"
#include "os/vdso.h"

#if defined(__x86_64__)
#define VDSO_CLOCK_GETTIME "__vdso_clock_gettime"
#else
#define VDSO_CLOCK_GETTIME "__kernel_clock_gettime"
#endif

/* The kernel's struct sigaction, which is not libc's. All zero: SIG_DFL. */
typedef struct kernel_sigaction {
    void (*handler)(int);
    unsigned long flags;
    void (*restorer)(void);
    uint64_t mask;
} kernel_sigaction_t;

void
rfi_process_write(int fd, const char *bytes, size_t count)
{
    while (count != 0) {
        long written = rfi_syscall3(SYS_write, fd, (long)bytes, (long)count);

        if (written == -EINTR) {
            continue;
        }
        if (written <= 0) {
            return;
        }
        bytes += written;
        count -= (size_t)written;
    }
}

static void
raise_abort(void)
{
    long process = rfi_syscall3(SYS_getpid, 0, 0, 0);
    long thread = rfi_syscall3(SYS_gettid, 0, 0, 0);

    (void)rfi_syscall3(SYS_tgkill, process, thread, SIGABRT);
}

void
rfi_process_abort(void)
{
    uint64_t mask = UINT64_C(1) << (SIGABRT - 1);
    kernel_sigaction_t action = {0};

    (void)rfi_syscall6(SYS_rt_sigprocmask, SIG_UNBLOCK, (long)&mask, 0,
                       sizeof(mask), 0, 0);
    raise_abort();

    /* Still here: ignored, or the handler returned. */
    (void)rfi_syscall6(SYS_rt_sigaction, SIGABRT, (long)&action, 0,
                       sizeof(action.mask), 0, 0);
    raise_abort();
    __builtin_trap();
}

void
rfi_process_exit(int status)
{
    for (;;) {
        (void)rfi_syscall3(SYS_exit_group, status, 0, 0);
    }
}

static long
read_clock_raw(clockid_t clock, struct timespec *now)
{
    return rfi_syscall3(SYS_clock_gettime, clock, (long)now, 0);
}

/* When getrandom is missing, forbidden or not yet seeded: a key of what is
 * hard to guess from outside, stretched. Good enough to spread addresses. */
static void
stretch_weak_entropy(uint8_t *bytes, size_t count)
{
    struct {
        uint8_t start[16]; /* the kernel's gift at exec, same for all calls */
        uint64_t time;
        uint64_t place;
    } key = {.place = (uintptr_t)bytes ^ (uintptr_t)__builtin_frame_address(0)};
    _Static_assert(sizeof(key) == RFI_RANDOM_KEY_BYTES, "a whole key");
    struct timespec now = {0};
    rfi_random_t random;
    const void *start = (const void *)rfi_auxiliary_value(AT_RANDOM);

    if (start != NULL) {
        __builtin_memcpy(key.start, start, sizeof(key.start));
    }
    (void)read_clock_raw(CLOCK_MONOTONIC, &now);
    key.time = (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
    rfi_random_seed(&random, (const uint8_t *)&key);
    for (size_t i = 0; i < count; i++) {
        bytes[i] = (uint8_t)rfi_random_u32(&random);
    }
}

void
rfi_process_entropy(uint8_t *bytes, size_t count)
{
    while (count != 0) {
        long got = rfi_syscall3(SYS_getrandom, (long)bytes, (long)count,
                                GRND_NONBLOCK);

        if (got == -EINTR) {
            continue;
        }
        if (got <= 0) {
            stretch_weak_entropy(bytes, count);
            return;
        }
        bytes += got;
        count -= (size_t)got;
    }
}

typedef long (*clock_function_t)(clockid_t clock, struct timespec *now);

uint64_t
rfi_process_clock_ms(void)
{
    static _Atomic(clock_function_t) cached;
    clock_function_t read_clock =
        atomic_load_explicit(&cached, memory_order_relaxed);
    struct timespec now = {0};

    if (read_clock == NULL) {
        read_clock = (clock_function_t)rfi_vdso_find(VDSO_CLOCK_GETTIME);
        if (read_clock == NULL) {
            read_clock = read_clock_raw;
        }
        atomic_store_explicit(&cached, read_clock, memory_order_relaxed);
    }
    (void)read_clock(CLOCK_MONOTONIC_COARSE, &now);
    return (uint64_t)now.tv_sec * 1000u + (uint64_t)now.tv_nsec / 1000000u;
}

int
rfi_process_id(void)
{
    return (int)rfi_syscall3(SYS_getpid, 0, 0, 0);
}

long
rfi_process_read_file(const char *path, char *buffer, size_t capacity)
{
    long fd = rfi_syscall6(SYS_openat, AT_FDCWD, (long)path,
                           O_RDONLY | O_CLOEXEC, 0, 0, 0);
    size_t count = 0;
    long got = 0;

    if (fd < 0) {
        return fd;
    }
    while (count < capacity - 1) {
        got = rfi_syscall3(SYS_read, fd, (long)(buffer + count),
                           (long)(capacity - 1 - count));
        if (got == -EINTR) {
            continue;
        }
        if (got <= 0) {
            break;
        }
        count += (size_t)got;
    }
    (void)rfi_syscall3(SYS_close, fd, 0, 0);
    buffer[count] = '\0';
    return got < 0 ? got : (long)count;
}
