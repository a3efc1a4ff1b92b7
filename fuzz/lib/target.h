/* SPDX-License-Identifier: MIT
 *
 * The interface between a target and who drives it: libFuzzer, AFL++'s
 * driver for libFuzzer targets, or replay_main.c. The names are theirs.
 */
#ifndef RINGFENCE_FUZZ_LIB_TARGET_H
#define RINGFENCE_FUZZ_LIB_TARGET_H

#include <stddef.h>
#include <stdint.h>

/* Runs one input, and aborts when it shows a mistake. Returns 0. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#endif
