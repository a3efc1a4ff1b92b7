/* SPDX-License-Identifier: MIT
 *
 * "Did you mean": the nearest key by edit distance, if it is near enough to
 * be a slip of the fingers or a word left unfinished.
 */
#include "api/options_table.h"

#include "base/bits.h"

#define LENGTH_MAX 40 /* longer words are not suggested for */

/* Fewest insertions, deletions and replacements of a character that turn one
 * word into the other (Levenshtein), with one row of the matrix. */
static size_t
edit_distance(rfi_slice_t a, rfi_slice_t b)
{
    size_t row[LENGTH_MAX + 1];

    for (size_t j = 0; j <= b.count; j++) {
        row[j] = j;
    }
    for (size_t i = 0; i < a.count; i++) {
        size_t diagonal = row[0];

        row[0] = i + 1;
        for (size_t j = 0; j < b.count; j++) {
            size_t replaced = diagonal + (a.start[i] != b.start[j]);

            diagonal = row[j + 1];
            row[j + 1] = rfi_min(replaced, 1 + rfi_min(row[j], row[j + 1]));
        }
    }
    return row[b.count];
}

static bool
is_beginning(rfi_slice_t shorter, rfi_slice_t longer)
{
    return shorter.count <= longer.count &&
           __builtin_memcmp(shorter.start, longer.start, shorter.count) == 0;
}

const char *
rfi_option_suggest(rfi_slice_t key)
{
    const rfi_option_t *option;
    const char *nearest = NULL;
    size_t limit = 1 + key.count / 4;

    if (key.count < 2 || key.count > LENGTH_MAX) {
        return NULL;
    }
    for (size_t i = 0; (option = rfi_option_at(i)) != NULL; i++) {
        rfi_slice_t candidate = rfi_slice_of(option->key);

        if (candidate.count > LENGTH_MAX) {
            continue;
        }
        size_t distance =
            is_beginning(key, candidate) ? 1 : edit_distance(key, candidate);

        if (distance <= limit) {
            nearest = option->key;
            limit = distance - 1;
        }
    }
    return nearest;
}
