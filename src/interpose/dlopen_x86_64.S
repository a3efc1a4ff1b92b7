/* SPDX-License-Identifier: MIT
 *
 * See dlopen.h. dlopen(path, flags) has its flags in esi, dlmopen(namespace,
 * path, flags) in edx. Three pushes keep the stack aligned for the call.
 */
#if defined(__x86_64__)

#define NOT_DEEPBIND 0xfffffff7

.macro wrapper name find_real flags
    .globl \name
    .type \name, @function
    .p2align 4
\name:
    .cfi_startproc
    endbr64
    pushq %rdi
    .cfi_adjust_cfa_offset 8
    pushq %rsi
    .cfi_adjust_cfa_offset 8
    pushq %rdx
    .cfi_adjust_cfa_offset 8
    call \find_real
    popq %rdx
    .cfi_adjust_cfa_offset -8
    popq %rsi
    .cfi_adjust_cfa_offset -8
    popq %rdi
    .cfi_adjust_cfa_offset -8
    andl $NOT_DEEPBIND, \flags
    jmp *%rax
    .cfi_endproc
    .size \name, . - \name
.endm

    .text
    wrapper dlopen rfi_dlopen_find_real %esi
    wrapper dlmopen rfi_dlmopen_find_real %edx

#endif
    .section .note.GNU-stack, "", %progbits
