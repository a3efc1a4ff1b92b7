/* SPDX-License-Identifier: MIT
 *
 * The text of options, as from the environment or from a rule file. Whatever
 * it says, every option keeps a legal value; with `strong_only` none leaves
 * its default but for the value that is safer; the same text again changes
 * nothing and counts the same mistakes; and every value can be read and,
 * where that is allowed, set by name.
 *
 * Control bytes, from the end: 1 strong values only, 2 through a rule file.
 */
#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "api/options.h"
#include "check.h"
#include "core/config.h"
#include "input.h"
#include "target.h"

#define EXECUTABLE "/opt/program"

/* One row of options.def, of any type. */
typedef struct row {
    const char *key;
    _Atomic(int64_t) *value;
    int64_t start, low, high;
    int64_t strong;
    const char *words; /* of an enumeration, else NULL */
    bool run_time;
} row_t;

static const row_t rows[] = {
#define RFI_OPTION_ENUM(name, def, safer, running, values, quoted, text) \
    {#name, &rfi_config.name, def, 0, 0, safer, values, running},
#define RFI_OPTION_INT(name, def, min, max, running, quoted, text) \
    {#name, &rfi_config.name, def, min, max, RFI_NOT_STRONG, NULL, running},
#define RFI_OPTION_BOOL(name, def, safer, running, quoted, text) \
    {#name, &rfi_config.name, def, 0, 1, safer, NULL, running},
#include "core/options.def"
};

#define ROWS (sizeof(rows) / sizeof(*rows))

static int64_t
highest(const row_t *row)
{
    int64_t high = row->high;

    for (const char *c = row->words; c != NULL && *c != '\0'; c++) {
        high += *c == '|';
    }
    return high;
}

static void
set_defaults(void)
{
    for (size_t i = 0; i < ROWS; i++) {
        *rows[i].value = rows[i].start;
    }
}

static void
check_values(bool strong_only)
{
    for (size_t i = 0; i < ROWS; i++) {
        const row_t *row = &rows[i];
        int64_t value = *row->value;

        check(value >= row->low && value <= highest(row), "%s is %lld",
              row->key, (long long)value);
        check(!strong_only || value == row->start || value == row->strong,
              "%s became %lld, which is not safer", row->key, (long long)value);
    }
}

/* Reading and writing by name agrees with the table. */
static void
check_access(void)
{
    for (size_t i = 0; i < ROWS; i++) {
        const row_t *row = &rows[i];
        int64_t value = *row->value;
        int64_t got;

        check(rfi_options_get(row->key, &got) == 0 && got == value,
              "%s cannot be read", row->key);
        check(rfi_options_set(row->key, value) == (row->run_time ? 0 : -EPERM),
              "%s: setting its own value", row->key);
        check(rfi_options_set(row->key, highest(row) + 1) ==
                  (row->run_time ? -EINVAL : -EPERM),
              "%s takes too much", row->key);
        check(*row->value == value, "%s was changed", row->key);
    }
}

static int
read_as_rules(const char *text, bool secure)
{
    char path[32];
    int fd = memfd_create("rules", 0);
    ssize_t count = (ssize_t)strlen(text);

    check(fd >= 0 && write(fd, text, (size_t)count) == count,
          "no file for the rules");
    snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
    int mistakes = rfi_options_read_rules(path, EXECUTABLE, secure);

    close(fd);
    return mistakes;
}

static int
read_text(const char *text, unsigned control)
{
    bool strong_only = (control & 1) != 0;

    return control & 2
               ? read_as_rules(text, strong_only)
               : rfi_options_parse(text, RFI_OPTIONS_VARIABLE, strong_only);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    int64_t first[ROWS];
    input_t input;

    input_start(&input, data, size);
    unsigned control = input_control(&input);
    size_t count = input_left(&input);
    char *text = malloc(count + 1); /* exact, so that ASan sees its end */

    check(text != NULL, "out of memory");
    memset(text, 0, count + 1);
    input_take(&input, (uint8_t *)text, count);
    set_defaults();
    int mistakes = read_text(text, control);

    /* In a rule file, a line that names the program's path is trusted. */
    check_values(control == 1);
    check_access();
    for (size_t i = 0; i < ROWS; i++) {
        first[i] = *rows[i].value;
    }
    check(read_text(text, control) == mistakes, "mistakes are not counted");
    for (size_t i = 0; i < ROWS; i++) {
        check(*rows[i].value == first[i], "%s changed", rows[i].key);
    }
    free(text);
    return 0;
}
