/* SPDX-License-Identifier: MIT
 *
 * Every replaceable operator new and delete of C++17, under the names of the
 * Itanium C++ ABI, which x86-64 and aarch64 share: nw and na are new and
 * new[], dl and da their deletes; then the types of the parameters follow.
 * `std::nothrow_t` is passed by reference, and we never look at it.
 */
#ifndef RINGFENCE_INTERPOSE_NEW_SYMBOLS_H
#define RINGFENCE_INTERPOSE_NEW_SYMBOLS_H

#include <stddef.h>

#include "ringfence/export.h"

/* (size_t), (size_t, nothrow_t) */
RF_API void *_Znwm(size_t size);
RF_API void *_Znam(size_t size);
RF_API void *_ZnwmRKSt9nothrow_t(size_t size, const void *nothrow);
RF_API void *_ZnamRKSt9nothrow_t(size_t size, const void *nothrow);

/* (size_t, align_val_t), (size_t, align_val_t, nothrow_t) */
RF_API void *_ZnwmSt11align_val_t(size_t size, size_t align);
RF_API void *_ZnamSt11align_val_t(size_t size, size_t align);
RF_API void *_ZnwmSt11align_val_tRKSt9nothrow_t(size_t size, size_t align,
                                                const void *nothrow);
RF_API void *_ZnamSt11align_val_tRKSt9nothrow_t(size_t size, size_t align,
                                                const void *nothrow);

/* (void *), (void *, nothrow_t), (void *, size_t) */
RF_API void _ZdlPv(void *block);
RF_API void _ZdaPv(void *block);
RF_API void _ZdlPvRKSt9nothrow_t(void *block, const void *nothrow);
RF_API void _ZdaPvRKSt9nothrow_t(void *block, const void *nothrow);
RF_API void _ZdlPvm(void *block, size_t size);
RF_API void _ZdaPvm(void *block, size_t size);

/* (void *, align_val_t), (void *, align_val_t, nothrow_t),
 * (void *, size_t, align_val_t) */
RF_API void _ZdlPvSt11align_val_t(void *block, size_t align);
RF_API void _ZdaPvSt11align_val_t(void *block, size_t align);
RF_API void _ZdlPvSt11align_val_tRKSt9nothrow_t(void *block, size_t align,
                                                const void *nothrow);
RF_API void _ZdaPvSt11align_val_tRKSt9nothrow_t(void *block, size_t align,
                                                const void *nothrow);
RF_API void _ZdlPvmSt11align_val_t(void *block, size_t size, size_t align);
RF_API void _ZdaPvmSt11align_val_t(void *block, size_t size, size_t align);

#endif
