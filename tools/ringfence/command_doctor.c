/* SPDX-License-Identifier: MIT
 *
 * ringfence doctor: what this machine offers and what ringfence makes of it.
 */
#include "commands.h"

int
command_doctor(int argc, char **argv)
{
    (void)argc;
    (void)argv;
    return 0;
}
