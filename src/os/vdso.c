/* SPDX-License-Identifier: MIT
 *
 * A walk through the small ELF image that the kernel maps: program headers ->
 * dynamic section -> symbol table. The image is the kernel's, so its offsets
 * are trusted; what is missing is treated as "no such function".
 */
#include "os/vdso.h"

#include <elf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "os/auxiliary.h"

typedef struct image {
    uintptr_t bias; /* mapped address minus address in the file */
    const Elf64_Sym *symbols;
    const char *strings;
    const uint32_t *hash;     /* DT_HASH: nbucket, nchain, ... */
    const uint32_t *gnu_hash; /* DT_GNU_HASH; newer kernels have only this */
} image_t;

static bool
is_same_text(const char *a, const char *b)
{
    while (*a == *b && *a != '\0') {
        a++;
        b++;
    }
    return *a == *b;
}

static void
read_dynamic(image_t *image, const Elf64_Dyn *entry)
{
    for (; entry->d_tag != DT_NULL; entry++) {
        const void *target = (const void *)(image->bias + entry->d_un.d_ptr);

        switch (entry->d_tag) {
        case DT_SYMTAB:
            image->symbols = target;
            break;
        case DT_STRTAB:
            image->strings = target;
            break;
        case DT_HASH:
            image->hash = target;
            break;
        case DT_GNU_HASH:
            image->gnu_hash = target;
            break;
        default:
            break;
        }
    }
}

static bool
open_image(image_t *image, uintptr_t base)
{
    const Elf64_Ehdr *header = (const Elf64_Ehdr *)base;
    const Elf64_Phdr *segment = (const Elf64_Phdr *)(base + header->e_phoff);
    const Elf64_Dyn *dynamic = NULL;
    bool is_loaded = false;

    for (unsigned i = 0; i < header->e_phnum; i++) {
        if (segment[i].p_type == PT_LOAD && !is_loaded) {
            image->bias = base + segment[i].p_offset - segment[i].p_vaddr;
            is_loaded = true;
        } else if (segment[i].p_type == PT_DYNAMIC) {
            dynamic = (const Elf64_Dyn *)(base + segment[i].p_offset);
        }
    }
    if (!is_loaded || dynamic == NULL) {
        return false;
    }
    read_dynamic(image, dynamic);
    return image->symbols != NULL && image->strings != NULL;
}

/* The GNU hash table does not state how many symbols there are: the last one
 * ends the chain of the bucket with the highest start. */
static size_t
count_by_gnu_hash(const uint32_t *table)
{
    uint32_t bucket_count = table[0];
    uint32_t first_symbol = table[1];
    uint32_t filter_words = table[2];
    const uint32_t *buckets =
        table + 4 + filter_words * (sizeof(Elf64_Addr) / sizeof(uint32_t));
    const uint32_t *chains = buckets + bucket_count;
    uint32_t last = 0;

    for (uint32_t i = 0; i < bucket_count; i++) {
        last = buckets[i] > last ? buckets[i] : last;
    }
    if (last < first_symbol) {
        return first_symbol;
    }
    while ((chains[last - first_symbol] & 1) == 0) {
        last++;
    }
    return (size_t)last + 1;
}

static size_t
count_symbols(const image_t *image)
{
    if (image->hash != NULL) {
        return image->hash[1];
    }
    return image->gnu_hash == NULL ? 0 : count_by_gnu_hash(image->gnu_hash);
}

void *
rfi_vdso_find(const char *name)
{
    uintptr_t base = rfi_auxiliary_value(AT_SYSINFO_EHDR);
    image_t image = {0};

    if (base == 0 || !open_image(&image, base)) {
        return NULL;
    }
    size_t count = count_symbols(&image);

    for (size_t i = 0; i < count; i++) {
        const Elf64_Sym *symbol = &image.symbols[i];

        if (symbol->st_shndx != SHN_UNDEF &&
            is_same_text(image.strings + symbol->st_name, name)) {
            return (void *)(image.bias + symbol->st_value);
        }
    }
    return NULL;
}
