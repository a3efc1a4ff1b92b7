/* SPDX-License-Identifier: MIT
 *
 * ringfence run: sets the environment and becomes the program. Exit statuses
 * before that are env(1)'s: 125 for our own errors, 126 when the program
 * cannot be run, 127 when it cannot be found.
 */
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "commands.h"
#include "environment.h"
#include "options.h"
#include "places.h"
#include "program.h"
#include "say.h"

enum { STATUS_OWN = 125, STATUS_CANNOT_RUN = 126, STATUS_NOT_FOUND = 127 };

static const struct option long_options[] = {
    {"mode", required_argument, NULL, 'm'},
    {"option", required_argument, NULL, 'o'},
    {"library", required_argument, NULL, 'l'},
    {"help", no_argument, NULL, 'h'},
    {NULL, 0, NULL, 0},
};

static void
print_help(void)
{
    printf("usage: ringfence run [OPTION]... [--] PROGRAM [ARGUMENT]...\n\n"
           "Runs PROGRAM with ringfence as its allocator.\n\n"
           "  -m, --mode=MODE          one of: %s\n"
           "  -o, --option=KEY=VALUE   set an option; may be repeated, the "
           "last wins\n"
           "      --library=PATH       the library to preload\n"
           "  -h, --help               print this\n\n"
           "Options of the allocator (KEY=VALUE):\n\n",
           option_modes());
    option_print_all(stdout);
}

static int
advise_and_fail(void)
{
    fputs("`ringfence run --help` tells more.\n", stderr);
    return STATUS_OWN;
}

/* Options are put into the environment as they are read, so that the last
 * one wins. Returns 0 to go on, or the exit status. */
static int
apply(int option, const char **library)
{
    switch (option) {
    case 'm':
        if (!option_is_mode(optarg)) {
            say_error("unknown mode '%s' (known: %s)", optarg, option_modes());
            return STATUS_OWN;
        }
        environment_set_mode(optarg);
        return 0;
    case 'o':
        if (!option_check(optarg)) {
            return STATUS_OWN;
        }
        environment_add_option(optarg);
        return 0;
    case 'l':
        *library = optarg;
        return 0;
    default:
        return advise_and_fail();
    }
}

static int
run_program(char **argv)
{
    char *path = places_program(argv[0]);
    if (path == NULL) {
        const int reason = errno;
        say_error("'%s': %s", argv[0], strerror(reason));
        return reason == ENOENT ? STATUS_NOT_FOUND : STATUS_CANNOT_RUN;
    }
    const char *obstacle = program_obstacle(path);
    if (obstacle != NULL) {
        say_warning("ringfence has no effect on '%s': %s", argv[0], obstacle);
    }
    free(path);
    execvp(argv[0], argv);
    const int reason = errno;
    say_error("'%s': %s", argv[0], strerror(reason));
    return reason == ENOENT ? STATUS_NOT_FOUND : STATUS_CANNOT_RUN;
}

int
command_run(int argc, char **argv)
{
    const char *wanted = NULL;
    int option;
    static char name[] = "ringfence run";

    argv[0] = name;
    while ((option = getopt_long(argc, argv, "+m:o:h", long_options, NULL)) !=
           -1) {
        if (option == 'h') {
            print_help();
            return 0;
        }
        const int status = apply(option, &wanted);
        if (status != 0) {
            return status;
        }
    }
    if (optind == argc) {
        say_error("no program to run");
        return advise_and_fail();
    }
    char *library = places_library(wanted);
    if (library == NULL) {
        return STATUS_OWN;
    }
    environment_preload(library);
    free(library);
    return run_program(argv + optind);
}
