/* SPDX-License-Identifier: MIT
 *
 * Case 7: free must leave errno alone, whatever it does on the way. Sizes of
 * 1 byte to 256 MiB, every form of delete, blocks of other threads, the last
 * block of a span. Arguments: `plain`, `no_madvise` (a filter makes madvise
 * fail) or `no_maps` (the process has no mapping left to spare).
 */
#include <cerrno>
#include <dlfcn.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <new>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#include "case.h"

#define MARK 77

typedef void (*free_sized_t)(void *, size_t);
typedef void (*free_aligned_sized_t)(void *, size_t, size_t);

#define LARGEST (256 * MIB)
#define HELD 8192

static void
touch(void *block, size_t size)
{
    EXPECT(block != NULL);
    for (size_t i = 0; i < size; i += 4096) {
        static_cast<volatile char *>(block)[i] = 1;
    }
}

static void *
touched(size_t size)
{
    void *block = malloc(size);

    touch(block, size);
    return block;
}

static void
free_every_size()
{
    for (size_t size = 1; size <= LARGEST; size = size * 2 + size / 2 + 1) {
        void *block = touched(size);

        errno = MARK;
        free(block);
        EXPECT(errno == MARK);
    }
}

static void
free_sized_forms()
{
    free_sized_t sized =
        reinterpret_cast<free_sized_t>(dlsym(RTLD_DEFAULT, "free_sized"));
    free_aligned_sized_t aligned = reinterpret_cast<free_aligned_sized_t>(
        dlsym(RTLD_DEFAULT, "free_aligned_sized"));

    for (size_t size = 64; size <= 64 * MIB; size *= 4) {
        if (sized != NULL) {
            void *block = touched(size);
            errno = MARK;
            sized(block, size);
            EXPECT(errno == MARK);
        }
        if (aligned != NULL) {
            void *block = aligned_alloc(64, size);
            touch(block, size);
            errno = MARK;
            aligned(block, 64, size);
            EXPECT(errno == MARK);
        }
    }
}

static void
delete_forms()
{
    const std::align_val_t alignment{128};

    for (size_t size = 1; size <= 64 * MIB; size = size * 4 + 1) {
        void *plain = ::operator new(size);
        void *sized = ::operator new[](size);
        void *aligned = ::operator new(size, alignment);

        touch(plain, size);
        touch(sized, size);
        touch(aligned, size);
        errno = MARK;
        ::operator delete(plain);
        ::operator delete[](sized, size);
        ::operator delete(aligned, size, alignment);
        EXPECT(errno == MARK);
    }
}

/* Blocks of one size fill several spans; the last ones free the spans. */
static void
free_whole_spans()
{
    static void *blocks[4096];

    for (size_t size = 16; size <= 16 * KIB; size *= 4) {
        for (void *&block : blocks) {
            block = touched(size);
        }
        errno = MARK;
        for (void *block : blocks) {
            free(block);
        }
        EXPECT(errno == MARK);
    }
}

static void *
free_all_of_them(void *argument)
{
    void **blocks = static_cast<void **>(argument);

    errno = MARK;
    for (int i = 0; i < 1000; i++) {
        free(blocks[i]);
    }
    EXPECT(errno == MARK);
    return NULL;
}

static void
free_from_another_thread()
{
    void *blocks[1000];
    uint64_t state = 7;

    for (void *&block : blocks) {
        block = touched(random_size(&state, 256 * KIB));
    }
    join_thread(start_thread(free_all_of_them, blocks));
}

static void
make_madvise_fail()
{
    struct sock_filter code[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_madvise, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EINVAL),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog program = {COUNT_OF(code), code};

    EXPECT(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0);
    EXPECT(prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0);
}

/* Splits one mapping page by page until the kernel refuses more. */
static void
use_up_maps()
{
    size_t page = static_cast<size_t>(sysconf(_SC_PAGESIZE));
    size_t pages = 140000;
    char *area = static_cast<char *>(
        mmap(NULL, pages * page, PROT_NONE,
             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0));

    EXPECT(area != MAP_FAILED);
    for (size_t i = 1; i < pages; i += 2) {
        if (mprotect(area + i * page, page, PROT_READ) != 0) {
            return;
        }
    }
    skip("the kernel allows more mappings than this case makes");
}

/* Everything is allocated first: only the frees meet the shortage. */
static void
free_without_maps()
{
    static void *held[HELD];
    uint64_t state = 37;

    for (size_t i = 0; i < HELD; i++) {
        size_t limit = i % 64 == 0 ? 4 * MIB : 32 * KIB;

        held[i] = touched(random_size(&state, limit));
    }
    use_up_maps();
    errno = MARK;
    for (void *block : held) {
        free(block);
        EXPECT(errno == MARK);
    }
}

int
main(int count, char **arguments)
{
    const char *variant = count > 1 ? arguments[1] : "plain";

    if (strcmp(variant, "no_maps") == 0) {
        free_without_maps();
        return finish();
    }
    if (strcmp(variant, "no_madvise") == 0) {
        make_madvise_fail();
    }
    free_every_size();
    free_whole_spans();
    free_sized_forms();
    delete_forms();
    free_from_another_thread();
    return finish();
}
