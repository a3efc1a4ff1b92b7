/* SPDX-License-Identifier: MIT
 *
 * The listing of options for help=1 and for the command line.
 */
#include "api/options.h"

#include "api/options_table.h"
#include "base/format.h"
#include "os/process.h"

#define LINE_CAPACITY 256
#define TEXT_COLUMNS 72

static void
print_head(int fd, const rfi_option_t *option)
{
    char value[32];
    char initial[32];
    char range[64];
    char line[LINE_CAPACITY];
    int64_t now = atomic_load_explicit(option->value, memory_order_relaxed);

    rfi_option_write(option, now, value, sizeof(value));
    rfi_option_write(option, option->initial, initial, sizeof(initial));
    rfi_option_write_range(option, range, sizeof(range));
    size_t count = rfi_format(
        line, sizeof(line), "  %s=%s (%s; default %s%s)\n", option->key, value,
        range, initial, option->run_time ? "; run time" : "");

    rfi_process_write(fd, line, count);
}

/* How much of the text fits on a line: up to a blank, or one long word. */
static size_t
fitting(const char *text)
{
    size_t fits = 0;
    size_t i = 0;

    for (; text[i] != '\0' && (i <= TEXT_COLUMNS || fits == 0); i++) {
        if (text[i] == ' ') {
            fits = i;
        }
    }
    return text[i] == '\0' && i <= TEXT_COLUMNS ? i : fits;
}

static void
print_text(int fd, const char *text)
{
    char line[LINE_CAPACITY];

    while (*text != '\0') {
        size_t fits = fitting(text);
        size_t count =
            rfi_format(line, sizeof(line), "      %.*s\n", (int)fits, text);

        rfi_process_write(fd, line, count);
        text += fits;
        text += *text == ' ';
    }
}

void
rfi_options_print(int fd)
{
    static const char head[] =
        "Options of ringfence, as key=value separated by ':' in "
        "RINGFENCE_OPTIONS:\n";
    const rfi_option_t *option;

    rfi_process_write(fd, head, sizeof(head) - 1);
    for (size_t i = 0; (option = rfi_option_at(i)) != NULL; i++) {
        print_head(fd, option);
        print_text(fd, option->text);
    }
}
