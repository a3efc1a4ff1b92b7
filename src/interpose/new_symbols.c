/* SPDX-License-Identifier: MIT
 *
 * The operators, written in C, so that no C++ library is needed. delete is
 * free: the size and the alignment it is given are not needed to find the
 * block.
 */
#include "interpose/new_symbols.h"

#include "api/entry.h"
#include "interpose/new_failure.h"

static RFI_ALWAYS_INLINE void *
new_throwing(size_t size)
{
    void *block = rfi_fast_alloc(size);

    return RFI_LIKELY(block != NULL) ? block : rfi_new_slow(size);
}

static RFI_ALWAYS_INLINE void *
new_nothrow(size_t size)
{
    void *block = rfi_fast_alloc(size);

    return RFI_LIKELY(block != NULL) ? block : rfi_new_slow_nothrow(size);
}

void *
_Znwm(size_t size)
{
    return new_throwing(size);
}

void *
_Znam(size_t size)
{
    return new_throwing(size);
}

void *
_ZnwmRKSt9nothrow_t(size_t size, const void *nothrow)
{
    (void)nothrow;
    return new_nothrow(size);
}

void *
_ZnamRKSt9nothrow_t(size_t size, const void *nothrow)
{
    (void)nothrow;
    return new_nothrow(size);
}

void *
_ZnwmSt11align_val_t(size_t size, size_t align)
{
    return rfi_new_aligned(size, align);
}

void *
_ZnamSt11align_val_t(size_t size, size_t align)
{
    return rfi_new_aligned(size, align);
}

void *
_ZnwmSt11align_val_tRKSt9nothrow_t(size_t size, size_t align,
                                   const void *nothrow)
{
    (void)nothrow;
    return rfi_new_aligned_nothrow(size, align);
}

void *
_ZnamSt11align_val_tRKSt9nothrow_t(size_t size, size_t align,
                                   const void *nothrow)
{
    (void)nothrow;
    return rfi_new_aligned_nothrow(size, align);
}

void
_ZdlPv(void *block)
{
    rfi_entry_free(block);
}

void
_ZdaPv(void *block)
{
    rfi_entry_free(block);
}

void
_ZdlPvRKSt9nothrow_t(void *block, const void *nothrow)
{
    (void)nothrow;
    rfi_entry_free(block);
}

void
_ZdaPvRKSt9nothrow_t(void *block, const void *nothrow)
{
    (void)nothrow;
    rfi_entry_free(block);
}

void
_ZdlPvm(void *block, size_t size)
{
    (void)size;
    rfi_entry_free(block);
}

void
_ZdaPvm(void *block, size_t size)
{
    (void)size;
    rfi_entry_free(block);
}

void
_ZdlPvSt11align_val_t(void *block, size_t align)
{
    (void)align;
    rfi_entry_free(block);
}

void
_ZdaPvSt11align_val_t(void *block, size_t align)
{
    (void)align;
    rfi_entry_free(block);
}

void
_ZdlPvSt11align_val_tRKSt9nothrow_t(void *block, size_t align,
                                    const void *nothrow)
{
    (void)align;
    (void)nothrow;
    rfi_entry_free(block);
}

void
_ZdaPvSt11align_val_tRKSt9nothrow_t(void *block, size_t align,
                                    const void *nothrow)
{
    (void)align;
    (void)nothrow;
    rfi_entry_free(block);
}

void
_ZdlPvmSt11align_val_t(void *block, size_t size, size_t align)
{
    (void)size;
    (void)align;
    rfi_entry_free(block);
}

void
_ZdaPvmSt11align_val_t(void *block, size_t size, size_t align)
{
    (void)size;
    (void)align;
    rfi_entry_free(block);
}
