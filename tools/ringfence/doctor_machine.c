/* SPDX-License-Identifier: MIT
 *
 * Kernel, pages, address space.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "doctor.h"
#include "say.h"

/* madvise's number for guard markers; the C library does not know it yet. */
enum { GUARD_INSTALL = 102 };

/* The first line of a kernel file, or NULL. */
static char *
read_line(const char *path)
{
    char line[256];
    FILE *file = fopen(path, "re");
    if (file == NULL) {
        return NULL;
    }
    char *got = fgets(line, sizeof(line), file);
    fclose(file);
    if (got == NULL) {
        return NULL;
    }
    line[strcspn(line, "\n")] = '\0';
    return memory_check(strdup(line));
}

static void
check_kernel(void)
{
    struct utsname name;
    uname(&name);
    doctor_find(
        DOCTOR_OK, "kernel",
        text_format("%s %s, %s", name.sysname, name.release, name.machine),
        NULL);
}

static void
check_pages(void)
{
    const long size = sysconf(_SC_PAGESIZE);
    doctor_find(DOCTOR_OK, "page size", text_format("%ld bytes", size), NULL);
}

/* The stack lies at the top of what a program can address. */
static void
check_addresses(void)
{
    const unsigned long long top =
        (unsigned long long)(size_t)__builtin_frame_address(0);
    doctor_find(DOCTOR_OK, "address bits",
                text_format("%d", 64 - __builtin_clzll(top)), NULL);
}

static void
check_overcommit(void)
{
    char *mode = read_line("/proc/sys/vm/overcommit_memory");
    if (mode == NULL) {
        doctor_find(DOCTOR_WARN, "overcommit", text_format("unknown"),
                    "/proc is not mounted; ringfence works without it");
        return;
    }
    const bool strict = strcmp(mode, "2") == 0;
    doctor_find(DOCTOR_OK, "overcommit",
                text_format("%s (%s)", mode,
                            strict ? "strict: memory is committed piece by "
                                     "piece"
                                   : "the kernel promises more than it has"),
                NULL);
    free(mode);
}

static void
check_maps(void)
{
    enum { USUAL = 65530 };
    char *count = read_line("/proc/sys/vm/max_map_count");
    if (count == NULL) {
        return;
    }
    const bool low = atol(count) < USUAL;
    doctor_find(low ? DOCTOR_WARN : DOCTOR_OK, "max_map_count", count,
                low ? "programs with many mappings may run out; "
                      "sysctl vm.max_map_count=65530 is the usual value"
                    : NULL);
}

static void
check_huge_pages(void)
{
    char *line = read_line("/sys/kernel/mm/transparent_hugepage/enabled");
    if (line == NULL) {
        doctor_find(DOCTOR_OK, "huge pages", text_format("none"), NULL);
        return;
    }
    const bool always = strstr(line, "[always]") != NULL;
    doctor_find(DOCTOR_OK, "huge pages", line,
                always ? "faster, but more memory stays resident; "
                         "-o thp=never forbids them in the heap"
                       : NULL);
}

static void
check_guards(void)
{
    const size_t size = (size_t)sysconf(_SC_PAGESIZE);
    void *page = mmap(NULL, size, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    const bool works =
        page != MAP_FAILED && madvise(page, size, GUARD_INSTALL) == 0;
    if (page != MAP_FAILED) {
        munmap(page, size);
    }
    doctor_find(DOCTOR_OK, "guard markers",
                text_format("%s", works ? "available"
                                        : "not in this kernel (6.13 has "
                                          "them): guard pages are mappings"),
                NULL);
}

void
doctor_check_machine(void)
{
    check_kernel();
    check_pages();
    check_addresses();
    check_overcommit();
    check_maps();
    check_huge_pages();
    check_guards();
}
