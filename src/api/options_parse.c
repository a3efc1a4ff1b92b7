/* SPDX-License-Identifier: MIT
 *
 * The syntax of options, and the lines that name mistakes in it.
 */
#include "api/options.h"

#include "api/options_table.h"
#include "core/config.h"
#include "core/log.h"

#define TEXT_CAPACITY 96

/* Modes of later versions: not a slip, so they get words of their own. */
#define MODES_TO_COME "hardened|debug|fuzz"

typedef struct parser {
    const char *next;
    const char *source; /* for messages */
    bool strong_only;
    int mistakes;
} parser_t;

static const char *const source_names[] = {
    [RFI_OPTIONS_RULES] = "/etc/ringfence.conf",
    [RFI_OPTIONS_PROGRAM] = "__ringfence_default_options()",
    [RFI_OPTIONS_MODE] = "RINGFENCE_MODE",
    [RFI_OPTIONS_VARIABLE] = "RINGFENCE_OPTIONS",
};

static bool
is_separator(char c)
{
    return c == ':' || c == ',' || c == ' ' || (c >= '\t' && c <= '\r');
}

static void
skip_separators(parser_t *parser)
{
    while (is_separator(*parser->next)) {
        parser->next++;
    }
}

static rfi_slice_t
take_key(parser_t *parser)
{
    rfi_slice_t key = {parser->next, 0};

    while (*parser->next != '\0' && *parser->next != '=' &&
           !is_separator(*parser->next)) {
        parser->next++;
    }
    key.count = (size_t)(parser->next - key.start);
    return key;
}

/* The value up to its closing quote, or to the next separator. False when
 * the quote is never closed; all that follows is then consumed. */
static bool
take_value(parser_t *parser, rfi_slice_t *value)
{
    char quote = *parser->next;
    bool quoted = quote == '\'' || quote == '"';

    parser->next += quoted;
    value->start = parser->next;
    while (*parser->next != '\0' &&
           (quoted ? *parser->next != quote : !is_separator(*parser->next))) {
        parser->next++;
    }
    value->count = (size_t)(parser->next - value->start);
    if (quoted && *parser->next == '\0') {
        return false;
    }
    parser->next += quoted;
    return true;
}

/* How much of a user's text a message repeats. */
static int
shown(rfi_slice_t slice)
{
    return slice.count < TEXT_CAPACITY ? (int)slice.count : TEXT_CAPACITY;
}

static void
report_unknown(parser_t *parser, rfi_slice_t key)
{
    const char *meant = rfi_option_suggest(key);

    parser->mistakes++;
    if (meant != NULL) {
        rfi_log_warning("%s: unknown option '%.*s': did you mean '%s'?",
                        parser->source, shown(key), key.start, meant);
    } else {
        rfi_log_warning("%s: unknown option '%.*s'; help=1 lists all",
                        parser->source, shown(key), key.start);
    }
}

static bool
is_mode_to_come(rfi_slice_t value)
{
    rfi_slice_t rest = rfi_slice_of(MODES_TO_COME);

    while (rest.count != 0) {
        rfi_slice_t mode = rfi_slice_cut(&rest, '|');

        if (mode.count == value.count &&
            __builtin_memcmp(mode.start, value.start, mode.count) == 0) {
            return true;
        }
    }
    return false;
}

static void
report_value(parser_t *parser, const rfi_option_t *option, rfi_slice_t value)
{
    char text[TEXT_CAPACITY];

    parser->mistakes++;
    if (option->value == &rfi_config.mode && is_mode_to_come(value)) {
        rfi_option_write(option, rfi_config_get(mode), text, sizeof(text));
        rfi_log_warning("mode '%.*s' is not in this version; running in mode "
                        "%s",
                        shown(value), value.start, text);
        return;
    }
    rfi_option_write_range(option, text, sizeof(text));
    rfi_log_warning("%s: '%.*s' is no value for %s, which takes %s",
                    parser->source, shown(value), value.start, option->key,
                    text);
}

static void
apply(parser_t *parser, rfi_slice_t key, rfi_slice_t text)
{
    const rfi_option_t *option = rfi_option_find(key);
    int64_t value;

    if (option == NULL) {
        report_unknown(parser, key);
        return;
    }
    if (!rfi_option_read(option, text, &value)) {
        report_value(parser, option, text);
        return;
    }
    if (!parser->strong_only ||
        (value == option->strong && value != RFI_NOT_STRONG)) {
        atomic_store_explicit(option->value, value, memory_order_relaxed);
    }
}

static void
parse_pair(parser_t *parser)
{
    rfi_slice_t key = take_key(parser);
    rfi_slice_t value;

    if (*parser->next != '=') {
        parser->mistakes++;
        rfi_log_warning("%s: '%.*s' has no value; options are key=value",
                        parser->source, shown(key), key.start);
        return;
    }
    parser->next++;
    if (!take_value(parser, &value)) {
        parser->mistakes++;
        rfi_log_warning("%s: the quote in the value of '%.*s' is not closed",
                        parser->source, shown(key), key.start);
        return;
    }
    apply(parser, key, value);
}

/* RINGFENCE_MODE is a value, not a list of pairs. */
static void
parse_mode(parser_t *parser)
{
    apply(parser, rfi_slice_of("mode"), rfi_slice_of(parser->next));
}

int
rfi_options_parse(const char *text, rfi_options_source_t source,
                  bool strong_only)
{
    parser_t parser = {text, source_names[source], strong_only, 0};

    if (source == RFI_OPTIONS_MODE) {
        parse_mode(&parser);
        return parser.mistakes;
    }
    for (;;) {
        skip_separators(&parser);
        if (*parser.next == '\0') {
            return parser.mistakes;
        }
        parse_pair(&parser);
    }
}
