/* SPDX-License-Identifier: MIT
 *
 * Attributes of the public functions.
 */
#ifndef RINGFENCE_EXPORT_H
#define RINGFENCE_EXPORT_H

#define RF_API __attribute__((visibility("default")))
#define RF_MALLOC __attribute__((malloc, warn_unused_result))
#define RF_SIZE(n) __attribute__((alloc_size(n)))
#define RF_SIZE2(n, m) __attribute__((alloc_size(n, m)))
#define RF_ALIGN(n) __attribute__((alloc_align(n)))

#endif
