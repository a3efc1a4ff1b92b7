/* SPDX-License-Identifier: MIT
 *
 * Lists of words, as in --only a,b,c.
 */
#ifndef RINGFENCE_TOOL_WORDS_H
#define RINGFENCE_TOOL_WORDS_H

#include <stdbool.h>
#include <string.h>

static inline bool
words_have(const char *words, const char *word)
{
    const size_t length = strlen(word);
    while (*words != '\0') {
        const size_t next = strcspn(words, ",");
        if (next == length && memcmp(words, word, length) == 0) {
            return true;
        }
        words += next + (words[next] == ',');
    }
    return false;
}

#endif
