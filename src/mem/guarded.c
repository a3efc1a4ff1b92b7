/* SPDX-License-Identifier: MIT
 *
 * Mappings between no-access pages; see mem/guarded.h.
 */
#include "mem/guarded.h"

#include "core/log.h"
#include "os/page.h"

int
rfi_guarded_map(void **result, size_t size)
{
    size_t page = rfi_page_size();
    void *start;
    size_t whole = size + 2 * page;
    int error = rfi_page_map(&start, whole, page, RFI_PAGE_NONE);

    if (error != 0) {
        return error;
    }
    if (rfi_page_protect((char *)start + page, size, RFI_PAGE_READ_WRITE) !=
        0) {
        /* A filter forbids the call, or the guards are two mappings more
         * than the process may have: memory matters, guards are a bonus. */
        (void)rfi_page_unmap(start, whole);
        error = rfi_page_map(&start, whole, page, RFI_PAGE_READ_WRITE);
        if (error != 0) {
            return error;
        }
        rfi_log_info(1, "metadata at %p has no guard pages", start);
    }
    char *usable = (char *)start + page;

    /* Sparse by nature: a huge page would make all of it resident. */
    (void)rfi_page_advise_huge(usable, size, false);
    *result = usable;
    return 0;
}

void
rfi_guarded_unmap(void *usable, size_t size)
{
    size_t page = rfi_page_size();

    (void)rfi_page_unmap((char *)usable - page, size + 2 * page);
}
