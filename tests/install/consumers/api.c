/* SPDX-License-Identifier: MIT
 *
 * A program that calls rf_* and keeps libc's malloc beside it.
 */
#include <ringfence/alloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int
main(void)
{
    char *ours = rf_malloc(100);
    char *libcs = malloc(100);
    int ok = ours != NULL && libcs != NULL && rf_usable_size(ours) >= 100;

    if (ok) {
        memset(ours, 1, 100);
        memset(libcs, 2, 100);
        ok = ours[99] == 1 && libcs[0] == 2;
    }
    rf_free(ours);
    free(libcs);
    puts(ok ? "OK" : "FAILED");
    return ok ? EXIT_SUCCESS : EXIT_FAILURE;
}
