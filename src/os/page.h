/* SPDX-License-Identifier: MIT
 *
 * Address space and pages: the only door to the kernel's memory calls.
 *
 * Contract of every function: 0 on success, else a negative errno; errno is
 * never touched; no allocation, no lock, callable from any thread and from
 * signal handlers. Sizes are in bytes and, like addresses, multiples of the
 * page size unless said otherwise. Each goes through os/fail.h first, so that
 * tests can make the Nth call fail.
 */
#ifndef RINGFENCE_OS_PAGE_H
#define RINGFENCE_OS_PAGE_H

#include <stdbool.h>
#include <stddef.h>

typedef enum rfi_page_access {
    RFI_PAGE_NONE,       /* address space only; uncharged */
    RFI_PAGE_READ,       /* sealed */
    RFI_PAGE_READ_WRITE, /* usable; zero on first touch */
} rfi_page_access_t;

/* Size of an OS page, read once from the auxiliary vector. */
size_t rfi_page_size(void);

/* A fresh private anonymous mapping, NORESERVE, at an address of the kernel's
 * choice that is a multiple of `align` (a power of two, at least the page
 * size). On success *result is its start. */
int rfi_page_map(void **result, size_t size, size_t align,
                 rfi_page_access_t access);

/* Tolerates the kernel's ENOMEM when the map limit is reached: the caller
 * must then keep the range as its own and may retry later. */
int rfi_page_unmap(void *start, size_t size);

int rfi_page_protect(void *start, size_t size, rfi_page_access_t access);

/* Drops the contents at once (MADV_DONTNEED): resident memory falls and the
 * next touch reads zero. */
int rfi_page_purge(void *start, size_t size);

/* Drops the contents and the commit charge; the range becomes no-access and
 * stays reserved. */
int rfi_page_decommit(void *start, size_t size);

/* Moves or resizes a mapping of `old_size` bytes to `new_size` bytes. With
 * target NULL it may only change in place (-ENOMEM when it cannot); else the
 * mapping moves onto target, replacing what is mapped there. */
int rfi_page_remap(void *start, size_t old_size, size_t new_size, void *target);

/* Asks for (or forbids) transparent huge pages; advisory. */
int rfi_page_advise_huge(void *start, size_t size, bool wanted);

#endif
