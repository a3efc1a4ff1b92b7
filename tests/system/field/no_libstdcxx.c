/* SPDX-License-Identifier: MIT
 *
 * Case 13: preloading the allocator into a C program must not drag in the
 * C++ library, although it defines operator new.
 */
#include "case.h"

int
main(void)
{
    static char text[1 << 16];
    int file = open("/proc/self/maps", O_RDONLY);
    size_t used = 0;
    ssize_t got;

    free(opaque(malloc(100)));
    while (used < sizeof(text) - 1 &&
           (got = read(file, text + used, sizeof(text) - 1 - used)) > 0) {
        used += (size_t)got;
    }
    EXPECT(strstr(text, "libc.so") != NULL);
    EXPECT(strstr(text, "libstdc++") == NULL);
    EXPECT(strstr(text, "libgcc_s") == NULL);
    return finish();
}
