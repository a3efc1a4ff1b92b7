/* SPDX-License-Identifier: MIT
 *
 * ringfence doctor: what this machine offers and what ringfence makes of it.
 */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>

#include "commands.h"
#include "doctor.h"
#include "say.h"

enum { STATUS_BROKEN = 1, NAME_WIDTH = 18 };

static const struct option long_options[] = {
    {"json", no_argument, NULL, 'j'},
    {"library", required_argument, NULL, 'l'},
    {"help", no_argument, NULL, 'h'},
    {NULL, 0, NULL, 0},
};

static const char *const verdicts[] = {
    [DOCTOR_OK] = "ok", [DOCTOR_WARN] = "warn", [DOCTOR_BROKEN] = "broken"};

static struct {
    bool json;
    unsigned count[3]; /* findings by verdict */
} doctor;

static void
print_help(void)
{
    fputs("usage: ringfence doctor [OPTION]...\n\n"
          "Tells what this machine offers and what ringfence makes of it.\n\n"
          "      --library=PATH  look at this library\n"
          "      --json          print a JSON array\n"
          "  -h, --help          print this\n\n"
          "Exit status: 0, 1 when something is broken, 2 for wrong "
          "arguments.\n",
          stdout);
}

static void
print_json_string(const char *text)
{
    putchar('"');
    for (; *text != '\0'; text++) {
        const unsigned char byte = (unsigned char)*text;
        if (byte == '"' || byte == '\\') {
            printf("\\%c", byte);
        } else if (byte < 0x20) {
            printf("\\u%04x", byte);
        } else {
            putchar(byte);
        }
    }
    putchar('"');
}

static void
print_json(doctor_verdict_t verdict, const char *name, const char *value,
           const char *advice)
{
    const bool first = doctor.count[0] + doctor.count[1] + doctor.count[2] == 0;
    printf("%s\n  {\"verdict\": \"%s\", \"name\": ", first ? "[" : ",",
           verdicts[verdict]);
    print_json_string(name);
    fputs(", \"value\": ", stdout);
    print_json_string(value);
    if (advice != NULL) {
        fputs(", \"advice\": ", stdout);
        print_json_string(advice);
    }
    putchar('}');
}

void
doctor_find(doctor_verdict_t verdict, const char *name, char *value,
            const char *advice)
{
    if (doctor.json) {
        print_json(verdict, name, value, advice);
    } else {
        printf("%-6s  %-*s %s\n", verdicts[verdict], NAME_WIDTH, name, value);
        if (advice != NULL) {
            printf("%*s%s\n", NAME_WIDTH + 9, "", advice);
        }
    }
    doctor.count[verdict]++;
    free(value);
}

static void
print_summary(void)
{
    if (doctor.json) {
        puts("\n]");
    } else {
        printf("\n%u ok, %u warnings, %u broken\n", doctor.count[DOCTOR_OK],
               doctor.count[DOCTOR_WARN], doctor.count[DOCTOR_BROKEN]);
    }
}

int
command_doctor(int argc, char **argv)
{
    static char name[] = "ringfence doctor";
    const char *library = NULL;
    int option;

    argv[0] = name;
    while ((option = getopt_long(argc, argv, "h", long_options, NULL)) != -1) {
        switch (option) {
        case 'j':
            doctor.json = true;
            break;
        case 'l':
            library = optarg;
            break;
        case 'h':
            print_help();
            return 0;
        default:
            fputs("`ringfence doctor --help` tells more.\n", stderr);
            return STATUS_USAGE;
        }
    }
    if (optind != argc) {
        say_error("unexpected argument '%s'", argv[optind]);
        return STATUS_USAGE;
    }
    doctor_check_machine();
    doctor_check_limits();
    doctor_check_library(library);
    doctor_check_bench();
    print_summary();
    return doctor.count[DOCTOR_BROKEN] != 0 ? STATUS_BROKEN : 0;
}
