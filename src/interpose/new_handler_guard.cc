/* SPDX-License-Identifier: MIT
 *
 * The only C++ in the library: catching what a new handler throws. What the
 * compiler refers to for this is made weak. A handler that throws brings the
 * C++ library with it; a program without one never comes here.
 */
#include "interpose/new_failure.h"

__asm__(".weak __gxx_personality_v0");
__asm__(".weak __cxa_begin_catch");
__asm__(".weak __cxa_end_catch");

bool
rfi_new_handler_call_guarded(void (*handler)(void))
{
    try {
        handler();
    } catch (...) {
        return false;
    }
    return true;
}
