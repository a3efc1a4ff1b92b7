/* SPDX-License-Identifier: MIT
 *
 * See new_failure.h. Exceptions pass through these functions, and through
 * those of new_symbols.c, so both have unwind tables.
 */
#include "interpose/new_failure.h"

#include <errno.h>

#include "api/entry.h"
#include "base/bits.h"
#include "core/log.h"
#include "os/process.h"

typedef void (*new_handler_t)(void);

/* std::get_new_handler() and std::__throw_bad_alloc(). */
__attribute__((weak)) new_handler_t _ZSt15get_new_handlerv(void);
__attribute__((weak, noreturn)) void _ZSt17__throw_bad_allocv(void);

static new_handler_t
current_handler(void)
{
    return _ZSt15get_new_handlerv != NULL ? _ZSt15get_new_handlerv() : NULL;
}

RFI_NORETURN static void
throw_bad_alloc(size_t size)
{
    if (_ZSt17__throw_bad_allocv != NULL) {
        _ZSt17__throw_bad_allocv();
    }
    rfi_log_warning("out of memory: no %zu bytes for operator new, and no "
                    "C++ library to throw std::bad_alloc",
                    size);
    rfi_process_abort();
}

/* Keeps errno: operator new reports by exception. */
static void *
allocate_aligned(size_t size, size_t align)
{
    int saved = errno;
    void *block = rfi_entry_aligned_alloc(align, size);

    errno = saved;
    return block;
}

/* malloc's alignment, which needs no special class, is asked for by 1. */
static void *
allocate(size_t size, size_t align)
{
    return align == 1 ? rfi_entry_alloc_quiet(size)
                      : allocate_aligned(size, align);
}

RFI_COLD static void *
retry(size_t size, size_t align)
{
    new_handler_t handler;

    while (rfi_is_power_of_two(align) &&
           (handler = current_handler()) != NULL) {
        handler();
        void *block = allocate(size, align);

        if (block != NULL) {
            return block;
        }
    }
    throw_bad_alloc(size);
}

RFI_COLD static void *
retry_nothrow(size_t size, size_t align)
{
    new_handler_t handler;

    while (rfi_is_power_of_two(align) &&
           (handler = current_handler()) != NULL &&
           rfi_new_handler_call_guarded(handler)) {
        void *block = allocate(size, align);

        if (block != NULL) {
            return block;
        }
    }
    return NULL;
}

void *
rfi_new_slow(size_t size)
{
    void *block = rfi_entry_alloc_quiet(size);

    return RFI_LIKELY(block != NULL) ? block : retry(size, 1);
}

void *
rfi_new_slow_nothrow(size_t size)
{
    void *block = rfi_entry_alloc_quiet(size);

    return RFI_LIKELY(block != NULL) ? block : retry_nothrow(size, 1);
}

void *
rfi_new_aligned(size_t size, size_t align)
{
    void *block = allocate_aligned(size, align);

    return RFI_LIKELY(block != NULL) ? block : retry(size, align);
}

void *
rfi_new_aligned_nothrow(size_t size, size_t align)
{
    void *block = allocate_aligned(size, align);

    return RFI_LIKELY(block != NULL) ? block : retry_nothrow(size, align);
}
