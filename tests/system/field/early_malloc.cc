/* SPDX-License-Identifier: MIT
 *
 * Case 4: the allocator is called before its own constructors had a chance:
 * from a constructor of the program, from the start of iostream, and from
 * the exit code of libc, whose list of functions grows by calloc while libc
 * holds a lock. free(NULL) must do nothing at any time.
 */
#include <cerrno>
#include <iostream>
#include <malloc.h>
#include <string>

#include "case.h"

static int exit_calls;
static void *early_blocks[4];

static void
count_exit()
{
    exit_calls++;
}

static void
check_exit()
{
    EXPECT(exit_calls == 200);
    say("OK\n");
}

__attribute__((constructor(101))) static void
start_early()
{
    free(opaque(NULL));
    early_blocks[0] = malloc(100);
    early_blocks[1] = calloc(10, 10);
    early_blocks[2] = realloc(opaque(NULL), 100);
    EXPECT(posix_memalign(&early_blocks[3], 64, 100) == 0);
    EXPECT(malloc_usable_size(opaque(NULL)) == 0);
    EXPECT(atexit(check_exit) == 0);
    for (int i = 0; i < 200; i++) {
        EXPECT(atexit(count_exit) == 0);
    }
}

static std::string global = std::string(1000, 'g');

int
main()
{
    for (void *block : early_blocks) {
        EXPECT(block != NULL);
        memset(block, 1, 100);
        free(block);
    }
    std::cout << "hello from " << global.size() << " bytes" << std::endl;
    return 0;
}
