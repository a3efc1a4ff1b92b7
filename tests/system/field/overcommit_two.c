/* SPDX-License-Identifier: MIT
 *
 * Case 20: where the kernel does not overcommit, writable memory counts when
 * it is mapped. After long churn the process may have committed at most twice
 * what lives, plus 64 MiB, and its number of mappings must have settled. The
 * runner also limits RLIMIT_DATA, which counts the same mappings. With
 * RINGFENCE_TEST_SYSCTL=1 the machine's real switch is used, for the time of
 * the case; that touches every other process, so it has to be asked for.
 */
#include <sys/wait.h>

#include "case.h"

#define SWITCH "/proc/sys/vm/overcommit_memory"
#define SLOTS 4096
#define LARGEST (256 * KIB)

static char *slots[SLOTS];
static size_t sizes[SLOTS];
static size_t live_bytes;

static char
exchange_switch(char value)
{
    char old = '0';
    int file = open(SWITCH, O_RDWR);

    if (file < 0) {
        skip("cannot write " SWITCH);
    }
    EXPECT(read(file, &old, 1) == 1);
    EXPECT(pwrite(file, &value, 1, 0) == 1);
    (void)close(file);
    return old;
}

/* Sum of the private writable mappings that are accounted ("ac"), in KiB. */
static long
committed_kib(void)
{
    static char line[512];
    FILE *file = fopen("/proc/self/smaps", "r");
    long size = 0;
    long sum = 0;

    EXPECT(file != NULL);
    while (fgets(line, sizeof(line), file) != NULL) {
        if (strncmp(line, "Size:", 5) == 0) {
            size = strtol(line + 5, NULL, 10);
        } else if (strncmp(line, "VmFlags:", 8) == 0 &&
                   strstr(line, " wr") != NULL &&
                   strstr(line, " ac") != NULL && strstr(line, " sh") == NULL) {
            sum += size;
        }
    }
    (void)fclose(file);
    return sum;
}

static void
churn(size_t operations, uint64_t *state)
{
    for (size_t i = 0; i < operations; i++) {
        size_t slot = next_random(state) % SLOTS;
        size_t size = random_size(state, LARGEST);

        free(slots[slot]);
        slots[slot] = malloc(size);
        EXPECT(slots[slot] != NULL);
        slots[slot][size - 1] = 1;
        live_bytes += size - sizes[slot];
        sizes[slot] = size;
    }
}

static void
check(bool is_real)
{
    size_t operations = scaled(20000000, 1000000);
    uint64_t state = 19;
    long maps;

    churn(operations / 4 * 3, &state);
    maps = map_count();
    churn(operations / 4, &state);
    EXPECT_AT_MOST(map_count(), maps + maps / 20 + 8);
    if (is_real) {
        EXPECT_AT_MOST(committed_kib(),
                       2 * (long)(live_bytes / KIB) + 64 * 1024);
    }
}

/* Runs this program again, so that its allocator starts under the switch,
 * and puts the switch back however that ends. */
static int
check_with_switch(const char *program)
{
    char old = exchange_switch('2');
    int status = 1;
    pid_t child = fork();

    if (child == 0) {
        (void)execl(program, program, "real", (char *)NULL);
        _exit(1);
    }
    if (child > 0) {
        (void)waitpid(child, &status, 0);
    }
    (void)exchange_switch(old);
    return status != 0;
}

int
main(int count, char **arguments)
{
    const char *real = getenv("RINGFENCE_TEST_SYSCTL");

    if (count > 1) {
        check(true);
    } else if (real != NULL && real[0] == '1') {
        return check_with_switch(arguments[0]);
    } else {
        check(false);
    }
    return finish();
}
