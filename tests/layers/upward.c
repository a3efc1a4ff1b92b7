/* SPDX-License-Identifier: MIT
 *
 * Linked with the lowest layer only, this must fail: it stands for a low
 * layer that calls a high one.
 */
#include <stddef.h>

void *rf_malloc(size_t size);

int
main(void)
{
    return rf_malloc(1) == NULL;
}
