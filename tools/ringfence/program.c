/* SPDX-License-Identifier: MIT
 *
 * Looks into a program file: static programs have no loader that would read
 * LD_PRELOAD, and for programs that gain rights the loader ignores it.
 */
#include "program.h"

#include <elf.h>
#include <link.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

/* Follows "#!" lines as often as the kernel does. */
enum { SCRIPT_DEPTH = 4, LINE_SIZE = 256 };

/* Does starting the file change who the process is? */
static bool
gains_rights(const char *path)
{
    struct stat file;
    if (stat(path, &file) != 0) {
        return false;
    }
    return ((file.st_mode & S_ISUID) && file.st_uid != getuid()) ||
           ((file.st_mode & S_ISGID) && file.st_gid != getgid()) ||
           (getuid() != 0 &&
            getxattr(path, "security.capability", NULL, 0) > 0);
}

static bool
has_interpreter(FILE *file, const ElfW(Ehdr) * header)
{
    ElfW(Phdr) segment;
    for (unsigned i = 0; i < header->e_phnum; i++) {
        const long at = (long)header->e_phoff + (long)(i * sizeof(segment));
        if (fseek(file, at, SEEK_SET) != 0 ||
            fread(&segment, sizeof(segment), 1, file) != 1) {
            return true;
        }
        if (segment.p_type == PT_INTERP) {
            return true;
        }
    }
    return false;
}

static ElfW(Half) own_machine(void)
{
    ElfW(Ehdr) header = {.e_machine = EM_NONE};
    FILE *file = fopen("/proc/self/exe", "re");
    if (file != NULL) {
        if (fread(&header, sizeof(header), 1, file) != 1) {
            header.e_machine = EM_NONE;
        }
        fclose(file);
    }
    return header.e_machine;
}

static const char *
elf_obstacle(FILE *file)
{
    ElfW(Ehdr) header;
    rewind(file);
    if (fread(&header, sizeof(header), 1, file) != 1) {
        return NULL;
    }
    const ElfW(Half) machine = own_machine();
    if (machine != EM_NONE && header.e_machine != machine) {
        return "it is built for another kind of processor than the library";
    }
    if (!has_interpreter(file, &header)) {
        return "it is statically linked";
    }
    return NULL;
}

/* Cuts "#! /path/of/interpreter arg" down to the path; false when the line
 * is something else. */
static bool
script_interpreter(const char *line, char *interpreter)
{
    if (strncmp(line, "#!", 2) != 0) {
        return false;
    }
    const char *start = line + 2 + strspn(line + 2, " \t");
    const size_t length = strcspn(start, " \t\n");
    memcpy(interpreter, start, length);
    interpreter[length] = '\0';
    return length != 0;
}

const char *
program_obstacle(const char *path)
{
    char name[LINE_SIZE];
    const char *obstacle = NULL;

    for (int depth = 0; depth < SCRIPT_DEPTH; depth++) {
        char line[LINE_SIZE] = "";
        FILE *file = fopen(path, "re");
        if (gains_rights(path)) {
            obstacle = "it gains rights when it starts (set-uid, set-gid or "
                       "file capabilities)";
        }
        if (file == NULL) {
            return obstacle;
        }
        const bool read = fgets(line, sizeof(line), file) != NULL;
        if (read && memcmp(line, ELFMAG, SELFMAG) == 0 && obstacle == NULL) {
            obstacle = elf_obstacle(file);
        }
        fclose(file);
        if (obstacle != NULL || !script_interpreter(line, name)) {
            return obstacle;
        }
        path = name;
    }
    return obstacle;
}
