/* SPDX-License-Identifier: MIT
 *
 * Reads a fuzzer's input from both ends: the payload (operations, text) from
 * the front, control bytes (settings of the run) from the end. Thus an input
 * that is cut, extended or spliced in its payload keeps its settings, and
 * the fuzzer's mutations stay meaningful.
 *
 *   [ payload: taken from here -->   ...   <-- control bytes from here ]
 *
 * Total: an input that is exhausted yields zeros.
 */
#ifndef RINGFENCE_FUZZ_LIB_INPUT_H
#define RINGFENCE_FUZZ_LIB_INPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct input {
    const uint8_t *next; /* payload not yet taken */
    const uint8_t *end;  /* behind it the control bytes that were taken */
} input_t;

void input_start(input_t *input, const uint8_t *data, size_t size);

/* The next control byte. Take all of them before the payload. */
uint8_t input_control(input_t *input);

/* Fills `bytes` from the payload, with zeros beyond its end; false when
 * nothing was left at all. */
bool input_take(input_t *input, uint8_t *bytes, size_t count);

/* The rest of the payload. */
size_t input_left(const input_t *input);

#endif
