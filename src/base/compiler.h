/* SPDX-License-Identifier: MIT
 *
 * Everything that depends on the compiler: attributes, branch hints and the
 * few builtins the other layers use. No other file tests for a compiler.
 */
#ifndef RINGFENCE_BASE_COMPILER_H
#define RINGFENCE_BASE_COMPILER_H

#define RFI_LIKELY(x) __builtin_expect(!!(x), 1)
#define RFI_UNLIKELY(x) __builtin_expect(!!(x), 0)

/* Keeps a value as it was computed: clang else trades the shift and mask of an
 * index for a longer sequence that it can fold into its use. */
#if defined(__clang__)
#define RFI_KEEP(value) __asm__("" : "+r"(value))
#else
#define RFI_KEEP(value) ((void)0)
#endif

#define RFI_NOINLINE __attribute__((noinline))
#define RFI_ALWAYS_INLINE inline __attribute__((always_inline))
#define RFI_COLD __attribute__((cold, noinline))
#define RFI_NORETURN __attribute__((noreturn))
#define RFI_UNUSED __attribute__((unused))
#define RFI_ALIGNED(n) __attribute__((aligned(n)))
#define RFI_PRINTF(format_index, first_argument) \
    __attribute__((format(printf, format_index, first_argument)))

/* Hidden even where the default visibility has been changed by a consumer. */
#define RFI_HIDDEN __attribute__((visibility("hidden")))

/* Thread-local words live in the static TLS block: no call to find them. */
#define RFI_TLS __thread __attribute__((tls_model("initial-exec")))

#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define RFI_TSAN 1
#endif
#if __has_feature(address_sanitizer)
#define RFI_ASAN 1
#endif
#endif
#if defined(__SANITIZE_THREAD__)
#define RFI_TSAN 1
#endif
#if defined(__SANITIZE_ADDRESS__)
#define RFI_ASAN 1
#endif

#endif
