/* SPDX-License-Identifier: MIT
 *
 * The table and its values as text.
 */
#include "api/options_table.h"

#include "base/format.h"
#include "core/config.h"

static const rfi_option_t table[] = {
#define RFI_OPTION_ENUM(the_key, def, the_strong, at_run_time, words, quoted, \
                        the_text) \
    {.key = #the_key, \
     .kind = RFI_OPTION_IS_ENUM, \
     .run_time = (at_run_time), \
     .initial = (def), \
     .strong = (the_strong), \
     .values = (words), \
     .text = (the_text), \
     .value = &rfi_config.the_key},
#define RFI_OPTION_INT(the_key, def, min, max, at_run_time, quoted, the_text) \
    {.key = #the_key, \
     .kind = RFI_OPTION_IS_INT, \
     .run_time = (at_run_time), \
     .initial = (def), \
     .strong = RFI_NOT_STRONG, \
     .minimum = (min), \
     .maximum = (max), \
     .text = (the_text), \
     .value = &rfi_config.the_key},
#define RFI_OPTION_BOOL(the_key, def, the_strong, at_run_time, quoted, \
                        the_text) \
    {.key = #the_key, \
     .kind = RFI_OPTION_IS_BOOL, \
     .run_time = (at_run_time), \
     .initial = (def), \
     .strong = (the_strong), \
     .text = (the_text), \
     .value = &rfi_config.the_key},
#include "core/options.def"
};

#define ROWS (sizeof(table) / sizeof(table[0]))

rfi_slice_t
rfi_slice_of(const char *text)
{
    return (rfi_slice_t){text, __builtin_strlen(text)};
}

bool
rfi_slice_equals(rfi_slice_t slice, const char *text)
{
    for (size_t i = 0; i < slice.count; i++) {
        if (text[i] == '\0' || slice.start[i] != text[i]) {
            return false;
        }
    }
    return text[slice.count] == '\0';
}

rfi_slice_t
rfi_slice_cut(rfi_slice_t *rest, char separator)
{
    rfi_slice_t part = {rest->start, 0};

    while (part.count < rest->count && part.start[part.count] != separator) {
        part.count++;
    }
    size_t used = part.count + (part.count < rest->count);

    rest->start += used;
    rest->count -= used;
    return part;
}

const rfi_option_t *
rfi_option_at(size_t index)
{
    return index < ROWS ? &table[index] : NULL;
}

const rfi_option_t *
rfi_option_find(rfi_slice_t key)
{
    for (size_t i = 0; i < ROWS; i++) {
        if (rfi_slice_equals(key, table[i].key)) {
            return &table[i];
        }
    }
    return NULL;
}

static bool
read_word(const char *words, rfi_slice_t text, int64_t *value)
{
    rfi_slice_t rest = rfi_slice_of(words);

    for (int64_t index = 0; rest.count != 0; index++) {
        rfi_slice_t word = rfi_slice_cut(&rest, '|');

        if (word.count == text.count &&
            __builtin_memcmp(word.start, text.start, word.count) == 0) {
            *value = index;
            return true;
        }
    }
    return false;
}

static bool
read_number(rfi_slice_t text, int64_t *value)
{
    bool negative = text.count > 1 && text.start[0] == '-';
    int64_t number = 0;

    if (text.count == 0) {
        return false;
    }
    for (size_t i = negative; i < text.count; i++) {
        char c = text.start[i];

        if (c < '0' || c > '9' || __builtin_mul_overflow(number, 10, &number) ||
            __builtin_add_overflow(number, c - '0', &number)) {
            return false;
        }
    }
    *value = negative ? -number : number;
    return true;
}

/* The words that users of sanitizers know; even indices are false. */
static bool
read_truth(rfi_slice_t text, int64_t *value)
{
    if (!read_word("0|1|no|yes|false|true|off|on", text, value)) {
        return false;
    }
    *value %= 2;
    return true;
}

bool
rfi_option_read(const rfi_option_t *option, rfi_slice_t text, int64_t *value)
{
    switch (option->kind) {
    case RFI_OPTION_IS_ENUM:
        return read_word(option->values, text, value);
    case RFI_OPTION_IS_BOOL:
        return read_truth(text, value);
    case RFI_OPTION_IS_INT:
        break;
    }
    return read_number(text, value) && rfi_option_accepts(option, *value);
}

/* The word with this index, or an empty slice. */
static rfi_slice_t
word_at(const char *words, int64_t index)
{
    rfi_slice_t rest = rfi_slice_of(words);
    rfi_slice_t word = {words, 0};

    for (int64_t i = 0; i <= index; i++) {
        word = rfi_slice_cut(&rest, '|');
    }
    return word;
}

bool
rfi_option_accepts(const rfi_option_t *option, int64_t value)
{
    switch (option->kind) {
    case RFI_OPTION_IS_ENUM:
        return value >= 0 && value < INT32_MAX &&
               word_at(option->values, value).count != 0;
    case RFI_OPTION_IS_BOOL:
        return value == 0 || value == 1;
    case RFI_OPTION_IS_INT:
        break;
    }
    return value >= option->minimum && value <= option->maximum;
}

void
rfi_option_write(const rfi_option_t *option, int64_t value, char *buffer,
                 size_t capacity)
{
    if (option->kind == RFI_OPTION_IS_ENUM) {
        rfi_slice_t word = word_at(option->values, value);

        rfi_format(buffer, capacity, "%.*s", (int)word.count, word.start);
    } else {
        rfi_format(buffer, capacity, "%lld", (long long)value);
    }
}

void
rfi_option_write_range(const rfi_option_t *option, char *buffer,
                       size_t capacity)
{
    switch (option->kind) {
    case RFI_OPTION_IS_ENUM:
        rfi_format(buffer, capacity, "%s", option->values);
        break;
    case RFI_OPTION_IS_BOOL:
        rfi_format(buffer, capacity, "0|1");
        break;
    case RFI_OPTION_IS_INT:
        rfi_format(buffer, capacity, "%lld to %lld", (long long)option->minimum,
                   (long long)option->maximum);
        break;
    }
}
