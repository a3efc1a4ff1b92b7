/* SPDX-License-Identifier: MIT
 *
 * ringfence: allocation.
 *
 * The functions have the meaning of their namesakes in C17, POSIX.1-2017 and
 * glibc; what those leave open is decided here. All of them may be called
 * from any thread, and a block may be freed by any thread. Sizes are bytes.
 *
 * Failure: NULL with errno ENOMEM (or EINVAL where noted), and nothing has
 * changed. Requests above PTRDIFF_MAX fail. On success errno is not touched.
 *
 * A pointer that is no live block is a fault: one line on stderr, then abort
 * (options `unowned` and `abort_on_error` govern this).
 *
 * Signals: a handler that interrupts any of these may call them only if the
 * program would be right with the C library's malloc; it never hangs.
 */
#ifndef RINGFENCE_ALLOC_H
#define RINGFENCE_ALLOC_H

#include <stddef.h>

#include "ringfence/export.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Frees a block; NULL is ignored. Keeps errno. [C17 7.22.3.3] */
RF_API void rf_free(void *block);

/* A block of at least `size` bytes, aligned to 16. Size 0 gives a block of
 * its own, as in glibc. [C17 7.22.3.4] */
RF_API RF_MALLOC RF_SIZE(1) void *rf_malloc(size_t size);

/* A zeroed block for `count` objects of `size` bytes; a product that
 * overflows fails with ENOMEM. [C17 7.22.3.2] */
RF_API RF_MALLOC RF_SIZE2(1, 2) void *rf_calloc(size_t count, size_t size);

/* Changes the size of a block, which may move; the bytes up to the smaller
 * size are kept. NULL as block is rf_malloc(size); size 0 frees the block and
 * returns NULL, as in glibc. On failure the block is unchanged.
 * [C17 7.22.3.5] */
RF_API __attribute__((warn_unused_result)) RF_SIZE(2) void *
rf_realloc(void *block, size_t size);

/* rf_realloc(block, count * size); a product that overflows fails with
 * ENOMEM and leaves the block as it is. [glibc, POSIX.1-2024] */
RF_API __attribute__((warn_unused_result)) RF_SIZE2(2, 3) void *
rf_reallocarray(void *block, size_t count, size_t size);

/* As rf_free(). The size, and the alignment, must be those with which the
 * block was allocated. [C23 7.24.3.4, 7.24.3.5] */
RF_API void rf_free_sized(void *block, size_t size);
RF_API void rf_free_aligned_sized(void *block, size_t align, size_t size);

/* A block aligned to `align`, which must be a power of two, else NULL and
 * EINVAL. `size` need not be a multiple of it. [C17 7.22.3.1] */
RF_API RF_MALLOC RF_ALIGN(1) RF_SIZE(2) void *
rf_aligned_alloc(size_t align, size_t size);

/* As rf_aligned_alloc(), but an alignment that is no power of two is rounded
 * up to one. [glibc memalign] */
RF_API RF_MALLOC RF_SIZE(2) void *rf_memalign(size_t align, size_t size);

/* Stores a block in *result and returns 0, or returns EINVAL (align is no
 * power of two or no multiple of sizeof(void *)) or ENOMEM and leaves *result
 * and errno as they are. [POSIX.1-2017 posix_memalign] */
RF_API int rf_posix_memalign(void **result, size_t align, size_t size);

/* Bytes that the caller may use, at least the size asked for and the same
 * for the block's whole life; 0 for NULL. [glibc malloc_usable_size] */
RF_API size_t rf_usable_size(void *block);

/* Gives all memory that holds no live block back to the kernel, but for
 * `keep` bytes at most. Returns 1 when any was given back, else 0. Other
 * threads' caches are not touched. [glibc malloc_trim] */
RF_API int rf_trim(size_t keep);

#ifdef __cplusplus
}
#endif

#endif
