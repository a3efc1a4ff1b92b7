/* SPDX-License-Identifier: MIT
 *
 * Pages on Linux. Mappings are private, anonymous and NORESERVE: address
 * space costs nothing until it is touched (overcommit modes 0 and 1) or made
 * accessible (mode 2). Alignment beyond a page is made by mapping more than
 * is needed and trimming. Every call to the kernel is counted by os/fail.h.
 */
#include "os/page.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdint.h>
#include <sys/mman.h>

#include "base/assert.h"
#include "base/bits.h"
#include "base/checked.h"
#include "os/auxiliary.h"
#include "os/fail.h"
#include "os/syscall.h"

#define MAP_FLAGS (MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE)
#define NO_FILE (-1L)

/* Counts what is given back. The kernel orders giving an address back before
 * handing it out again; this says the same in C, so that what a thread did
 * to the records of an address comes before what the next user does. */
static _Atomic(uint32_t) given_back;

/* The one way of this file into the kernel: a result, or -errno. */
static long
memory_call(long number, uintptr_t start, size_t size, long c, long d, long e)
{
    if (rfi_fail_now()) {
        return -ENOMEM;
    }
    if (number != SYS_mmap) {
        /* Release: pairs with the load below. */
        atomic_fetch_add_explicit(&given_back, 1, memory_order_release);
    }
    long result = rfi_syscall6(number, (long)start, (long)size, c, d, e, 0);

    (void)atomic_load_explicit(&given_back, memory_order_acquire);
    return result;
}

/* Addresses beyond the last page are the kernel's error numbers. */
static bool
is_error(long result)
{
    return (unsigned long)result > -4096UL;
}

static bool
is_page_multiple(const void *start, size_t size)
{
    return (((uintptr_t)start | size) & (rfi_page_size() - 1)) == 0;
}

static int
protection_of(rfi_page_access_t access)
{
    switch (access) {
    case RFI_PAGE_READ:
        return PROT_READ;
    case RFI_PAGE_READ_WRITE:
        return PROT_READ | PROT_WRITE;
    case RFI_PAGE_NONE:
        break;
    }
    return PROT_NONE;
}

size_t
rfi_page_size(void)
{
    static _Atomic(size_t) cached;
    size_t size = atomic_load_explicit(&cached, memory_order_relaxed);

    if (size == 0) {
        size = rfi_auxiliary_value(AT_PAGESZ);
        atomic_store_explicit(&cached, size, memory_order_relaxed);
    }
    return size;
}

static int
map_anywhere(uintptr_t *result, size_t size, int protection)
{
    long start = memory_call(SYS_mmap, 0, size, protection, MAP_FLAGS, NO_FILE);

    if (is_error(start)) {
        return (int)start;
    }
    *result = (uintptr_t)start;
    return 0;
}

/* Gives back a part of a fresh mapping. The kernel may refuse when the map
 * limit is reached; the part then stays behind as untouched address space,
 * which is better than failing an allocation that has its memory. */
static void
trim(uintptr_t start, size_t size)
{
    if (size != 0) {
        (void)memory_call(SYS_munmap, start, size, 0, 0, 0);
    }
}

int
rfi_page_map(void **result, size_t size, size_t align, rfi_page_access_t access)
{
    rfi_assert(size != 0 && is_page_multiple(NULL, size));
    rfi_assert(rfi_is_power_of_two(align) && align >= rfi_page_size());

    int protection = protection_of(access);
    uintptr_t start;
    int error = map_anywhere(&start, size, protection);

    if (error != 0) {
        return error;
    }
    if ((start & (align - 1)) != 0) {
        size_t slack = align - rfi_page_size();
        size_t padded;

        trim(start, size);
        if (!rfi_checked_add(size, slack, &padded)) {
            return -ENOMEM;
        }
        error = map_anywhere(&start, padded, protection);
        if (error != 0) {
            return error;
        }
        size_t front = rfi_align_up(start, align) - start;

        trim(start, front);
        start += front;
        trim(start + size, slack - front);
    }
    *result = (void *)start;
    return 0;
}

int
rfi_page_unmap(void *start, size_t size)
{
    rfi_assert(size != 0 && is_page_multiple(start, size));
    return (int)memory_call(SYS_munmap, (uintptr_t)start, size, 0, 0, 0);
}

int
rfi_page_protect(void *start, size_t size, rfi_page_access_t access)
{
    rfi_assert(size != 0 && is_page_multiple(start, size));
    return (int)memory_call(SYS_mprotect, (uintptr_t)start, size,
                            protection_of(access), 0, 0);
}

int
rfi_page_purge(void *start, size_t size)
{
    rfi_assert(size != 0 && is_page_multiple(start, size));
    return (int)memory_call(SYS_madvise, (uintptr_t)start, size, MADV_DONTNEED,
                            0, 0);
}

int
rfi_page_decommit(void *start, size_t size)
{
    rfi_assert(size != 0 && is_page_multiple(start, size));

    /* Only a new mapping takes back the commit charge: mprotect to no-access
     * keeps a page charged once it has been writable. */
    long result = memory_call(SYS_mmap, (uintptr_t)start, size, PROT_NONE,
                              MAP_FLAGS | MAP_FIXED, NO_FILE);

    return is_error(result) ? (int)result : 0;
}

int
rfi_page_remap(void *start, size_t old_size, size_t new_size, void *target)
{
    rfi_assert(old_size != 0 && is_page_multiple(start, old_size));
    rfi_assert(new_size != 0 && is_page_multiple(target, new_size));

    int flags = target == NULL ? 0 : MREMAP_MAYMOVE | MREMAP_FIXED;
    long result = memory_call(SYS_mremap, (uintptr_t)start, old_size,
                              (long)new_size, flags, (long)target);

    return is_error(result) ? (int)result : 0;
}

int
rfi_page_advise_huge(void *start, size_t size, bool wanted)
{
    rfi_assert(size != 0 && is_page_multiple(start, size));
    return (int)memory_call(SYS_madvise, (uintptr_t)start, size,
                            wanted ? MADV_HUGEPAGE : MADV_NOHUGEPAGE, 0, 0);
}
