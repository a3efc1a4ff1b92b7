/* SPDX-License-Identifier: MIT
 *
 * dlopen and dlmopen without RTLD_DEEPBIND. A plug-in opened with that flag
 * would find libc's free before ours and give it our blocks.
 *
 * The wrappers are written in assembly (dlopen_x86_64.S, dlopen_aarch64.S):
 * they clear the flag and jump to the real function, which looks at its
 * return address to learn whose RUNPATH and namespace count. Called as a
 * function, it would see us.
 *
 * In libringfence_preload.so only: a static program has no plug-ins.
 */
#ifndef RINGFENCE_INTERPOSE_DLOPEN_H
#define RINGFENCE_INTERPOSE_DLOPEN_H

#include "base/compiler.h"

/* Where the wrappers jump to; never NULL. */
RFI_HIDDEN void *rfi_dlopen_find_real(void);
RFI_HIDDEN void *rfi_dlmopen_find_real(void);

#endif
