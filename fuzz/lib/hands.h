/* SPDX-License-Identifier: MIT
 *
 * What one worker holds: its live blocks, and an inbox into which others put
 * blocks for it. A worker's blocks stay when its thread ends; the next thread
 * in its place frees them.
 */
#ifndef RINGFENCE_FUZZ_LIB_HANDS_H
#define RINGFENCE_FUZZ_LIB_HANDS_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "block.h"

#define HANDS_BLOCKS 1024u
#define HANDS_INBOX 256u

typedef struct hands {
    /* The worker only. */
    block_t blocks[HANDS_BLOCKS];
    uint32_t count;

    /* Any thread, under the lock. */
    pthread_mutex_t lock;
    block_t inbox[HANDS_INBOX];
    uint32_t inbox_count;
} hands_t;

bool hands_are_full(const hands_t *hands);

/* The hands must not be full. */
void hands_add(hands_t *hands, const block_t *block);

/* The block that `pick` names, or NULL. Valid until the next add or drop. */
block_t *hands_pick(hands_t *hands, uint32_t pick);

/* Forgets a block that hands_pick() has found; the last takes its place. */
void hands_drop(hands_t *hands, block_t *block);

/* Any thread: puts a block into the inbox; false when it is full. */
bool hands_post(hands_t *hands, const block_t *block);

/* Takes the last block out of the inbox; false when there is none. */
bool hands_receive(hands_t *hands, block_t *block);

#endif
