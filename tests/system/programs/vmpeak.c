/* SPDX-License-Identifier: MIT
 *
 * Preloaded into a run on the C library's own malloc: every process notes the
 * most address space it ever used, in KiB, as a line of the file named by
 * RINGFENCE_TEST_VMPEAK. Twice the largest is what the same work may use on
 * ringfence. Without the variable it does nothing.
 */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

__attribute__((destructor)) static void
note_peak(void)
{
    static char status[4096];
    const char *path = getenv("RINGFENCE_TEST_VMPEAK");
    int in = path != NULL ? open("/proc/self/status", O_RDONLY) : -1;
    int out = in >= 0 ? open(path, O_WRONLY | O_CREAT | O_APPEND, 0600) : -1;
    char *line;
    char *end;

    if (out < 0 || read(in, status, sizeof(status) - 1) <= 0) {
        return;
    }
    line = strstr(status, "VmPeak:");
    end = line != NULL ? strchr(line, '\n') : NULL;
    if (end != NULL) {
        line += strlen("VmPeak:");
        (void)!write(out, line, (size_t)(end + 1 - line));
    }
    (void)close(in);
    (void)close(out);
}
