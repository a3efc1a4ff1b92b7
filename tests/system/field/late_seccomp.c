/* SPDX-License-Identifier: MIT
 *
 * Case 17: a program locks itself in after its start: every system call but
 * those named here kills it. An allocator that later asks for a thread id, a
 * random number or an unusual flag ends the program. Argument `soft`: the
 * usual memory calls are allowed; `hard`: madvise fails, mremap and mprotect
 * fail, and only plain private mappings may be made.
 */
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#include "case.h"

#define SLOTS 1000
#define LARGEST (300 * KIB)

#define LOAD(field) \
    BPF_STMT(BPF_LD | BPF_W | BPF_ABS, (unsigned)offsetof(struct seccomp_data, \
                                                          field))
/* When the loaded word is `value`, the next instruction decides. */
#define WHEN(value) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (value), 0, 1)
#define ANSWER(verdict) BPF_STMT(BPF_RET | BPF_K, (verdict))
#define ALLOW(name) WHEN(SYS_##name), ANSWER(SECCOMP_RET_ALLOW)
#define REFUSE(name) WHEN(SYS_##name), ANSWER(SECCOMP_RET_ERRNO | EPERM)

static struct sock_filter soft[] = {
    LOAD(nr),       ALLOW(mmap),    ALLOW(munmap),
    ALLOW(mprotect), ALLOW(mremap), ALLOW(brk),
    ALLOW(madvise), ALLOW(futex),   ALLOW(write),
    ALLOW(exit),    ALLOW(exit_group), ALLOW(rt_sigprocmask),
    ANSWER(SECCOMP_RET_KILL_PROCESS),
};

/* mmap last: its flags are judged once its number is known. */
static struct sock_filter hard[] = {
    LOAD(nr),        ALLOW(munmap),    ALLOW(brk),
    REFUSE(madvise), REFUSE(mprotect), REFUSE(mremap),
    ALLOW(futex),    ALLOW(write),     ALLOW(exit_group),
    ALLOW(exit),
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_mmap, 1, 0),
    ANSWER(SECCOMP_RET_KILL_PROCESS),
    LOAD(args[3]),
    BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K,
             (unsigned)~(MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE), 0, 1),
    ANSWER(SECCOMP_RET_KILL_PROCESS),
    ANSWER(SECCOMP_RET_ALLOW),
};

static void
lock_in(struct sock_filter *code, size_t length)
{
    struct sock_fprog program = {(unsigned short)length, code};

    EXPECT(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0);
    EXPECT(prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0);
}

static void
churn(int rounds)
{
    static char *slots[SLOTS];
    uint64_t state = 11;

    for (int i = 0; i < rounds; i++) {
        char **slot = &slots[next_random(&state) % SLOTS];

        if (next_random(&state) % 3 == 0) {
            free(*slot);
            *slot = NULL;
        } else {
            size_t size = random_size(&state, LARGEST);

            *slot = realloc(*slot, size);
            EXPECT(*slot != NULL);
            (*slot)[0] = 1;
            (*slot)[size - 1] = 1;
        }
    }
}

/* More than a gigabyte of addresses, hardly any of it resident: whatever the
 * allocator keeps per range of addresses must be had under the filter, too. */
static void
spread_out(void)
{
    static char *blocks[100];
    const size_t size = 15 * MIB;

    for (size_t i = 0; i < COUNT_OF(blocks); i++) {
        blocks[i] = malloc(size);
        EXPECT(blocks[i] != NULL);
        blocks[i][0] = 1;
        blocks[i][size - 1] = 1;
    }
    for (size_t i = 0; i < COUNT_OF(blocks); i++) {
        free(blocks[i]);
    }
}

int
main(int count, char **arguments)
{
    free(opaque(malloc(100)));
    if (count > 1 && strcmp(arguments[1], "hard") == 0) {
        lock_in(hard, COUNT_OF(hard));
    } else {
        lock_in(soft, COUNT_OF(soft));
    }
    churn(100000);
    spread_out();
    say("survived\n");
    return finish();
}
