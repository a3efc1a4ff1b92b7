/* SPDX-License-Identifier: MIT
 *
 * Case 48: what a core dump would hold. After 100 MB were touched and 90 MB
 * freed, the private memory that the kernel would dump (readable or writable
 * and not marked otherwise) is little more than what is resident, and the
 * address space is not a vast reservation.
 */
#include "case.h"

#define BLOCK_BYTES 1000
#define BLOCKS (100 * MIB / BLOCK_BYTES)

/* Resident part of a mapping is dumped sparsely; what counts as size of the
 * file is the whole of every dumped mapping. In KiB. */
static long
dumped_kib(void)
{
    static char line[512];
    FILE *file = fopen("/proc/self/smaps", "r");
    long size = 0;
    long sum = 0;
    bool is_file = false;

    EXPECT(file != NULL);
    while (fgets(line, sizeof(line), file) != NULL) {
        if (strncmp(line, "Size:", 5) == 0) {
            size = strtol(line + 5, NULL, 10);
        } else if (strncmp(line, "VmFlags:", 8) == 0) {
            bool is_dumped = strstr(line, " dd") == NULL &&
                             (strstr(line, " rd") || strstr(line, " wr"));

            sum += is_dumped && !is_file ? size : 0;
        } else if (line[0] < 'A' || line[0] > 'Z') {
            is_file = strchr(line, '/') != NULL;
        }
    }
    (void)fclose(file);
    return sum;
}

int
main(void)
{
    static char *blocks[BLOCKS];

    for (size_t i = 0; i < BLOCKS; i++) {
        blocks[i] = malloc(BLOCK_BYTES);
        EXPECT(blocks[i] != NULL);
        memset(blocks[i], 1, BLOCK_BYTES);
    }
    for (size_t i = 0; i < BLOCKS / 10 * 9; i++) {
        free(blocks[i]);
    }
    EXPECT_AT_MOST(dumped_kib(), rss_kib() + 160 * 1024);
    EXPECT_AT_MOST(vsz_kib(), 1024 * 1024);
    return finish();
}
