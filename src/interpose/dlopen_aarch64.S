/* SPDX-License-Identifier: MIT
 *
 * See dlopen.h. dlopen(path, flags) has its flags in w1, dlmopen(namespace,
 * path, flags) in w2. x16 may carry an indirect jump to a function's start.
 */
#if defined(__aarch64__)

#define NOT_DEEPBIND 0xfffffff7

.macro wrapper name find_real flags
    .globl \name
    .type \name, %function
    .p2align 4
\name:
    .cfi_startproc
    hint #34 // bti c
    stp x29, x30, [sp, #-48]!
    .cfi_def_cfa_offset 48
    .cfi_offset x29, -48
    .cfi_offset x30, -40
    stp x0, x1, [sp, #16]
    str x2, [sp, #32]
    bl \find_real
    mov x16, x0
    ldp x0, x1, [sp, #16]
    ldr x2, [sp, #32]
    ldp x29, x30, [sp], #48
    .cfi_restore x30
    .cfi_restore x29
    .cfi_def_cfa_offset 0
    and \flags, \flags, #NOT_DEEPBIND
    br x16
    .cfi_endproc
    .size \name, . - \name
.endm

    .text
    wrapper dlopen rfi_dlopen_find_real w1
    wrapper dlmopen rfi_dlmopen_find_real w2

#endif
    .section .note.GNU-stack, "", %progbits
