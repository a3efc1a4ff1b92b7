/* SPDX-License-Identifier: MIT
 *
 * Case 6: destructors of thread-specific data that free their value and set a
 * new one, round after round, so that some of them run after the allocator's
 * own destructor. One key is older than the first allocation of the process,
 * others are younger.
 */
#include "case.h"

#define KEYS 4
#define ROUNDS 4
#define WARM_UP_THREADS 1000

static pthread_key_t keys[KEYS];
static _Atomic long destructions;

/* The value: how often its key's destructor ran in this thread, and which
 * key that was. */
typedef struct value {
    int round;
    size_t key;
    char payload[200];
} value_t;

static void
set_value(size_t key, int round)
{
    value_t *value = malloc(sizeof(*value));

    EXPECT(value != NULL);
    value->round = round;
    value->key = key;
    memset(value->payload, round, sizeof(value->payload));
    EXPECT(pthread_setspecific(keys[key], value) == 0);
}

static void
replace_value(void *argument)
{
    value_t *value = argument;
    size_t key = value->key;
    int round = value->round;

    EXPECT(value->payload[sizeof(value->payload) - 1] == (char)round);
    free(value);
    free(opaque(malloc(64 * KIB)));
    destructions++;
    if (round < ROUNDS) {
        set_value(key, round + 1);
    }
}

static void *
leave_values(void *argument)
{
    (void)argument;
    for (size_t i = 0; i < KEYS; i++) {
        set_value(i, 1);
    }
    return NULL;
}

static void
run_threads(size_t count)
{
    for (size_t i = 0; i < count; i++) {
        join_thread(start_thread(leave_values, NULL));
    }
}

int
main(void)
{
    size_t threads = scaled(20000, 4000);
    long before;

    EXPECT(pthread_key_create(&keys[0], replace_value) == 0);
    free(opaque(malloc(1)));
    for (size_t i = 1; i < KEYS; i++) {
        EXPECT(pthread_key_create(&keys[i], replace_value) == 0);
    }
    run_threads(WARM_UP_THREADS);
    before = rss_kib();
    run_threads(threads - WARM_UP_THREADS);
    EXPECT(destructions == (long)threads * KEYS * ROUNDS);
    EXPECT_AT_MOST(rss_kib() - before, 8 * 1024);
    return finish();
}
