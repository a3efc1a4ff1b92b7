/* SPDX-License-Identifier: MIT
 *
 * The rule file, with which an administrator sets options by program. It is
 * read into pages of its own, which are given back at once.
 */
#include "api/options.h"

#include <stddef.h>

#include "api/options_table.h"
#include "core/log.h"
#include "os/page.h"
#include "os/process.h"

#define FILE_CAPACITY ((size_t)64 * 1024)

typedef enum match {
    MATCH_NONE,
    MATCH_LAST_PART, /* of the path, which the user of a program chooses */
    MATCH_SURE
} match_t;

static rfi_slice_t
without_blanks(rfi_slice_t slice)
{
    while (slice.count != 0 &&
           (slice.start[0] == ' ' || slice.start[0] == '\t')) {
        slice.start++;
        slice.count--;
    }
    while (slice.count != 0 && (slice.start[slice.count - 1] == ' ' ||
                                slice.start[slice.count - 1] == '\t')) {
        slice.count--;
    }
    return slice;
}

static const char *
last_part(const char *path)
{
    const char *part = path;

    for (; *path != '\0'; path++) {
        if (*path == '/') {
            part = path + 1;
        }
    }
    return part;
}

static match_t
match(rfi_slice_t name, const char *executable)
{
    if (rfi_slice_equals(name, "*") || rfi_slice_equals(name, executable)) {
        return MATCH_SURE;
    }
    return rfi_slice_equals(name, last_part(executable)) ? MATCH_LAST_PART
                                                         : MATCH_NONE;
}

/* The line is ended by a NUL. */
static int
read_line(rfi_slice_t line, const char *executable, bool secure)
{
    line = without_blanks(line);
    if (line.count == 0 || line.start[0] == '#') {
        return 0;
    }
    rfi_slice_t options = line;
    rfi_slice_t name = without_blanks(rfi_slice_cut(&options, ':'));

    if (name.count == line.count) {
        rfi_log_warning("/etc/ringfence.conf: no ':' in line '%.*s'",
                        (int)(line.count < 96 ? line.count : 96), line.start);
        return 1;
    }
    match_t matched = match(name, executable);

    if (matched == MATCH_NONE) {
        return 0;
    }
    return rfi_options_parse(options.start, RFI_OPTIONS_RULES,
                             secure && matched == MATCH_LAST_PART);
}

static int
read_lines(char *text, size_t count, const char *executable, bool secure)
{
    rfi_slice_t rest = {text, count};
    int mistakes = 0;

    while (rest.count != 0) {
        rfi_slice_t line = rfi_slice_cut(&rest, '\n');

        text[line.start - text + (ptrdiff_t)line.count] = '\0';
        mistakes += read_line(line, executable, secure);
    }
    return mistakes;
}

int
rfi_options_read_rules(const char *path, const char *executable, bool secure)
{
    char nothing[1];
    void *pages;
    int mistakes = 0;

    if (rfi_process_read_file(path, nothing, sizeof(nothing)) < 0) {
        return 0; /* nearly always: cost no more than this */
    }
    if (rfi_page_map(&pages, FILE_CAPACITY, rfi_page_size(),
                     RFI_PAGE_READ_WRITE) != 0) {
        return 0;
    }
    long count = rfi_process_read_file(path, pages, FILE_CAPACITY);

    if (count == (long)FILE_CAPACITY - 1) {
        rfi_log_warning("%s: only the first 64 KiB are read", path);
        mistakes++;
    }
    if (count > 0) {
        mistakes += read_lines(pages, (size_t)count, executable, secure);
    }
    (void)rfi_page_unmap(pages, FILE_CAPACITY);
    return mistakes;
}
