/* SPDX-License-Identifier: MIT
 *
 * ringfence COMMAND [ARGUMENT]...
 *
 * Picks the command. Each command parses its own arguments.
 */
#include <stdio.h>
#include <string.h>

#include "commands.h"
#include "say.h"

typedef struct command {
    const char *name;
    int (*run)(int argc, char **argv);
    const char *text; /* NULL: not listed */
} command_t;

static const command_t commands[] = {
    {"run", command_run, "run a program with ringfence as its allocator"},
    {"doctor", command_doctor, "tell what this machine offers ringfence"},
    {"bench", command_bench, "measure ringfence against other allocators"},
    {"--probe", command_probe, NULL},
};

#define COMMANDS (sizeof(commands) / sizeof(commands[0]))

static int
usage(FILE *stream)
{
    fputs("usage: ringfence COMMAND [ARGUMENT]...\n"
          "       ringfence --version | --help\n\n",
          stream);
    for (size_t i = 0; i < COMMANDS; i++) {
        if (commands[i].text != NULL) {
            fprintf(stream, "  %-8s %s\n", commands[i].name, commands[i].text);
        }
    }
    fputs("\n`ringfence COMMAND --help` tells more.\n", stream);
    return stream == stdout ? 0 : STATUS_USAGE;
}

int
main(int argc, char **argv)
{
    if (argc < 2) {
        return usage(stderr);
    }
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0) {
        return usage(stdout);
    }
    if (strcmp(argv[1], "--version") == 0) {
        puts("ringfence " RINGFENCE_VERSION);
        return 0;
    }
    for (size_t i = 0; i < COMMANDS; i++) {
        if (strcmp(argv[1], commands[i].name) == 0) {
            say_as(commands[i].name);
            return commands[i].run(argc - 1, argv + 1);
        }
    }
    say_error("unknown command '%s'", argv[1]);
    return usage(stderr);
}
