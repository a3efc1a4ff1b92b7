/* SPDX-License-Identifier: MIT
 *
 * Functions that the kernel maps into every process (vDSO), found without the
 * dynamic linker: its own entry points may be replaced, and may allocate.
 */
#ifndef RINGFENCE_OS_VDSO_H
#define RINGFENCE_OS_VDSO_H

/* Address of a function of the vDSO, or NULL when there is no vDSO (Valgrind
 * hides it) or no such function. Walks the symbol table: call once. */
void *rfi_vdso_find(const char *name);

#endif
