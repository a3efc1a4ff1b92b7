/* SPDX-License-Identifier: MIT
 *
 * Mappings between no-access pages; see mem/guarded.h.
 */
#include "mem/guarded.h"

#include "os/page.h"

int
rfi_guarded_map(void **result, size_t size)
{
    size_t page = rfi_page_size();
    void *start;
    int error = rfi_page_map(&start, size + 2 * page, page, RFI_PAGE_NONE);

    if (error != 0) {
        return error;
    }
    char *usable = (char *)start + page;

    error = rfi_page_protect(usable, size, RFI_PAGE_READ_WRITE);
    if (error != 0) {
        rfi_guarded_unmap(usable, size);
        return error;
    }
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
