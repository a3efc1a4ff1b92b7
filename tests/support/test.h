/* SPDX-License-Identifier: MIT
 *
 * The one include for unit tests: cmocka with the headers it wants before it.
 */
#ifndef RINGFENCE_TESTS_SUPPORT_TEST_H
#define RINGFENCE_TESTS_SUPPORT_TEST_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#endif
