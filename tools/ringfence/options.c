/* SPDX-License-Identifier: MIT
 *
 * The option table of the tool, from the same file as the allocator's.
 */
#include "options.h"

#include <stdlib.h>
#include <string.h>

#include "say.h"

const option_row_t option_rows[] = {
#define RFI_OPTION_ENUM(key, def, strong, run_time, values, quoted, text) \
    {#key, values, text},
#define RFI_OPTION_INT(key, def, min, max, run_time, quoted, text) \
    {#key, "integer", text},
#define RFI_OPTION_BOOL(key, def, strong, run_time, quoted, text) \
    {#key, "0|1", text},
#include "core/options.def"
};

const size_t option_row_count = sizeof(option_rows) / sizeof(option_rows[0]);

const option_row_t *
option_find(const char *key, size_t length)
{
    for (size_t i = 0; i < option_row_count; i++) {
        if (strlen(option_rows[i].key) == length &&
            memcmp(option_rows[i].key, key, length) == 0) {
            return &option_rows[i];
        }
    }
    return NULL;
}

const char *
option_modes(void)
{
    return option_find("mode", 4)->values;
}

bool
option_is_mode(const char *mode)
{
    const size_t length = strlen(mode);
    const char *at = option_modes();

    while (*at != '\0') {
        const size_t word = strcspn(at, "|");
        if (word == length && memcmp(at, mode, length) == 0) {
            return true;
        }
        at += word + (at[word] == '|');
    }
    return false;
}

/* Of two texts, by insertions, deletions and changes. `a` has `length`
 * characters; keys are short, so that one row of bytes is enough. */
static unsigned
edit_distance(const char *a, size_t length, const char *b)
{
    enum { LONGEST = 63 };
    unsigned row[LONGEST + 1];
    const size_t width = strlen(b);

    if (width > LONGEST) {
        return LONGEST;
    }
    for (unsigned j = 0; j <= width; j++) {
        row[j] = j;
    }
    for (size_t i = 0; i < length; i++) {
        unsigned diagonal = row[0];
        row[0] = (unsigned)i + 1;
        for (size_t j = 0; j < width; j++) {
            const unsigned change = diagonal + (a[i] != b[j]);
            const unsigned shorter =
                (row[j] < row[j + 1] ? row[j] : row[j + 1]) + 1;
            diagonal = row[j + 1];
            row[j + 1] = change < shorter ? change : shorter;
        }
    }
    return row[width];
}

static const char *
nearest_key(const char *key, size_t length)
{
    const char *nearest = NULL;
    unsigned least = (unsigned)length / 2 + 1;

    for (size_t i = 0; i < option_row_count; i++) {
        const unsigned distance =
            edit_distance(key, length, option_rows[i].key);
        if (distance < least) {
            least = distance;
            nearest = option_rows[i].key;
        }
    }
    return nearest;
}

bool
option_check(const char *assignment)
{
    const size_t length = strcspn(assignment, "=");
    if (assignment[length] != '=' || length == 0) {
        say_error("option '%s' is not of the form key=value", assignment);
        return false;
    }
    if (option_find(assignment, length) != NULL) {
        return true;
    }
    const char *near = nearest_key(assignment, length);
    if (near != NULL) {
        say_error("unknown option '%.*s', did you mean '%s'?", (int)length,
                  assignment, near);
    } else {
        say_error("unknown option '%.*s'", (int)length, assignment);
    }
    return false;
}

void
option_print_all(FILE *stream)
{
    for (size_t i = 0; i < option_row_count; i++) {
        fprintf(stream, "  %s=%s\n      %s\n", option_rows[i].key,
                option_rows[i].values, option_rows[i].text);
    }
}
