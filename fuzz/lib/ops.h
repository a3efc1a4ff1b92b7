/* SPDX-License-Identifier: MIT
 *
 * Operations on the allocator, decoded from the payload. Each is a record of
 * eight bytes, so that inserting, deleting or copying a record leaves the
 * others what they are:
 *
 *   [ kind | worker | pick : 2 | size family | size detail : 2 | extra ]
 *
 * Any eight bytes are a valid operation. Sizes crowd around what the heap
 * treats specially: class, page and granule boundaries, the limits of small
 * and large blocks, and requests that must fail.
 */
#ifndef RINGFENCE_FUZZ_LIB_OPS_H
#define RINGFENCE_FUZZ_LIB_OPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "input.h"

typedef enum op_kind {
    OP_MALLOC,
    OP_CALLOC,
    OP_REALLOC_NULL, /* realloc(NULL, size) */
    OP_ALIGNED_ALLOC,
    OP_MEMALIGN,
    OP_POSIX_MEMALIGN,
    OP_REALLOC,
    OP_REALLOCARRAY,
    OP_FREE,
    OP_FREE_SIZED,
    OP_CHECK,     /* the content and the usable size of a block */
    OP_BURST,     /* `count` times malloc */
    OP_FREE_MANY, /* `count` times free, with a stride */
    OP_TRIM,
    OP_AUDIT,
    OP_SET_DECAY, /* option dirty_decay_ms */
    OP_FAIL,      /* the kernel refuses memory for a while */
    OP_GIVE,      /* a block goes to another thread */
    OP_RECEIVE,   /* takes what others have given */
    OP_END_THREAD,
    OP_END_ROUND,
    OP_KINDS
} op_kind_t;

typedef struct op {
    uint8_t kind;   /* op_kind_t */
    uint8_t worker; /* which thread */
    uint16_t pick;  /* which block */
    size_t size;    /* of one object */
    size_t count;   /* objects, or repetitions */
    size_t align;   /* any value, sensible or not */
    uint8_t extra;
} op_t;

/* The kinds that a target knows, each as often as its weight. */
typedef struct op_menu {
    const uint8_t *kinds;
    size_t count;
} op_menu_t;

/* False when the payload has ended. */
bool ops_next(input_t *input, const op_menu_t *menu, op_t *op);

/* Bytes that an allocation asks for; SIZE_MAX when count * size overflows. */
size_t ops_bytes(const op_t *op);

#endif
