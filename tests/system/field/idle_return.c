/* SPDX-License-Identifier: MIT
 *
 * Case 39, second variant: after a burst the process does one malloc and one
 * free every 100 ms. Within 3 s most of the burst is back with the kernel.
 */
#include "case.h"

#define SMALL_BYTES 64
#define LARGE_BYTES (5 * MIB)

int
main(void)
{
    size_t small_count = scaled(8000000, 2000000);
    size_t large_count = scaled(100, 25);
    char ***small = malloc(small_count / 1000 * sizeof(char **));
    char **large = malloc(large_count * sizeof(char *));
    long before = rss_kib();
    long burst;

    for (size_t i = 0; i < small_count / 1000; i++) {
        small[i] = malloc(1000 * sizeof(char *));
        for (size_t j = 0; j < 1000; j++) {
            small[i][j] = malloc(SMALL_BYTES);
            small[i][j][0] = 1;
        }
    }
    for (size_t i = 0; i < large_count; i++) {
        large[i] = malloc(LARGE_BYTES);
        memset(large[i], 1, LARGE_BYTES);
    }
    burst = rss_kib() - before;
    for (size_t i = 0; i < small_count / 1000; i++) {
        for (size_t j = 0; j < 1000; j++) {
            free(small[i][j]);
        }
        free(small[i]);
    }
    for (size_t i = 0; i < large_count; i++) {
        free(large[i]);
    }
    for (int i = 0; i < 30; i++) {
        sleep_ms(100);
        free(opaque(malloc(1000)));
    }
    EXPECT_AT_MOST(rss_kib() - before, burst * 15 / 100);
    return finish();
}
