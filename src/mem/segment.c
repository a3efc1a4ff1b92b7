/* SPDX-License-Identifier: MIT
 *
 * Segments as a whole: how large the next one is, its record, its mapping.
 *
 * Records are metadata, which is never freed: those of unmapped segments
 * wait in a list for the next segment. A mapping that the kernel would not
 * take back (its table of mappings may be full) waits with its record in
 * another list, so that no address space is ever lost.
 */
#include "mem/segment.h"

#include "base/assert.h"
#include "base/bits.h"
#include "core/config.h"
#include "mem/bitmap.h"
#include "mem/directory.h"
#include "mem/meta.h"
#include "os/page.h"
#include "os/process.h"

#define SEGMENT_MIN ((size_t)4 << 20)
#define SEGMENT_MAX ((size_t)256 << 20)
#define GROWTH_DIVISOR 8
#define CACHE_LINE 64

_Atomic(int) rfi_segment_overcommit = -1;

static rfi_segment_t *spare;    /* records without a mapping */
static rfi_segment_t *stranded; /* mappings that wait for a use */
static _Atomic(size_t) mapped_bytes;

bool
rfi_segment_is_strict(void)
{
    int mode =
        atomic_load_explicit(&rfi_segment_overcommit, memory_order_relaxed);

    if (RFI_UNLIKELY(mode < 0)) {
        mode = rfi_process_overcommit();
        atomic_store_explicit(&rfi_segment_overcommit, mode,
                              memory_order_relaxed);
    }
    return mode == 2;
}

/* ---- Records ---------------------------------------------------------- */

/* One block of metadata: the record, its three bitmaps, its times. */
static rfi_segment_t *
new_record(uint32_t capacity)
{
    uint32_t words = rfi_bitmap_words(capacity);
    uint32_t chunk_words = rfi_bitmap_words(rfi_segment_chunks(capacity));
    size_t bitmaps = (2 * (size_t)words + chunk_words) * sizeof(uint64_t);
    rfi_segment_t *record = rfi_meta_alloc(
        sizeof(*record) + bitmaps + capacity * sizeof(uint32_t), CACHE_LINE);

    if (record == NULL) {
        return NULL;
    }
    record->capacity = capacity;
    record->free = (uint64_t *)(void *)(record + 1);
    record->dirty = record->free + words;
    record->committed = record->dirty + words;
    record->freed_ms = (uint32_t *)(void *)(record->committed + chunk_words);
    return record;
}

static rfi_segment_t *
get_record(uint32_t granules)
{
    rfi_segment_t **link = &spare;

    while (*link != NULL && (*link)->capacity < granules) {
        link = &(*link)->next;
    }
    rfi_segment_t *record = *link;

    if (record == NULL) {
        return new_record(granules);
    }
    *link = record->next;
    return record;
}

/* All free, all clean; committed unless every chunk is charged for. */
static void
reset_record(rfi_segment_t *record, char *start, uint32_t granules,
             bool is_first)
{
    record->start = start;
    record->granules = granules;
    record->is_first = is_first;
    record->free_count = granules;
    record->dirty_count = 0;
    record->held_count = 0;
    record->lowest = 0;
    record->next = NULL;
    rfi_bitmap_clear(record->free, 0, record->capacity);
    rfi_bitmap_set(record->free, 0, granules);
    rfi_bitmap_clear(record->dirty, 0, record->capacity);
    rfi_bitmap_clear(record->committed, 0,
                     rfi_segment_chunks(record->capacity));
    if (!rfi_segment_is_strict()) {
        rfi_bitmap_set(record->committed, 0, rfi_segment_chunks(granules));
    }
}

void
rfi_segment_recycle(rfi_segment_t *segment, bool is_unmapped)
{
    rfi_segment_t **list = is_unmapped ? &spare : &stranded;

    if (is_unmapped) {
        segment->start = NULL;
    }
    segment->next = *list;
    *list = segment;
}

rfi_segment_t *
rfi_segment_pop_stranded(void)
{
    rfi_segment_t *segment = stranded;

    if (segment != NULL) {
        stranded = segment->next;
        segment->next = NULL;
    }
    return segment;
}

/* ---- Creation --------------------------------------------------------- */

/* Maps a segment into the record. */
static bool
map_into(rfi_segment_t *record, size_t size, size_t align, bool is_first)
{
    rfi_page_access_t access =
        rfi_segment_is_strict() ? RFI_PAGE_NONE : RFI_PAGE_READ_WRITE;
    void *start;

    if (rfi_page_map(&start, size, align, access) != 0) {
        return false;
    }
    rfi_segment_advise_huge(start, size, is_first);
    atomic_fetch_add_explicit(&mapped_bytes, size, memory_order_relaxed);
    reset_record(record, start, (uint32_t)(size >> RFI_GRANULE_SHIFT),
                 is_first);
    return true;
}

static size_t
growth_size(size_t needed)
{
    size_t growth =
        rfi_align_down(rfi_segment_mapped() / GROWTH_DIVISOR, RFI_CHUNK_SIZE);

    growth = rfi_min(rfi_max(growth, SEGMENT_MIN), SEGMENT_MAX);
    return rfi_max(growth, rfi_align_up(needed, RFI_CHUNK_SIZE));
}

/* The wanted size, or as much of it as the system has. */
static bool
map_some(rfi_segment_t *record, size_t size, size_t needed, size_t align,
         bool is_first)
{
    size_t least = rfi_align_up(needed, RFI_CHUNK_SIZE);

    while (!map_into(record, size, rfi_max(align, RFI_CHUNK_SIZE),
                     is_first)) {
        if (size == least) {
            return map_into(record, needed, align, is_first);
        }
        size = rfi_max(rfi_align_up(size / 2, RFI_CHUNK_SIZE), least);
    }
    return true;
}

static rfi_segment_t *
reuse_stranded(size_t needed, size_t align)
{
    rfi_segment_t **link = &stranded;

    for (; *link != NULL; link = &(*link)->next) {
        rfi_segment_t *segment = *link;

        if (segment->granules * RFI_GRANULE_SIZE >= needed
            && ((uintptr_t)segment->start & (align - 1)) == 0) {
            *link = segment->next;
            segment->next = NULL;
            return segment;
        }
    }
    return NULL;
}

static rfi_segment_t *
create_mapped(size_t needed, size_t align)
{
    rfi_segment_t *segment = reuse_stranded(needed, align);

    if (segment != NULL) {
        return segment;
    }
    bool is_first = rfi_segment_mapped() == 0;
    size_t size = growth_size(needed);

    segment = get_record((uint32_t)(size >> RFI_GRANULE_SHIFT));
    if (segment == NULL) {
        return NULL;
    }
    if (!map_some(segment, size, needed, align, is_first)) {
        rfi_segment_recycle(segment, true);
        return NULL;
    }
    return segment;
}

rfi_segment_t *
rfi_segment_create(uint32_t count, uint32_t align)
{
    rfi_segment_t *segment =
        create_mapped(count * RFI_GRANULE_SIZE, align * RFI_GRANULE_SIZE);

    if (segment == NULL) {
        return NULL;
    }
    size_t size = segment->granules * RFI_GRANULE_SIZE;

    if (rfi_directory_cover(segment->start, size) != 0) {
        rfi_segment_recycle(segment, rfi_segment_unmap(segment));
        return NULL;
    }
    return segment;
}

bool
rfi_segment_unmap(const rfi_segment_t *segment)
{
    size_t size = segment->granules * RFI_GRANULE_SIZE;

    if (rfi_page_unmap(segment->start, size) != 0) {
        return false;
    }
    atomic_fetch_sub_explicit(&mapped_bytes, size, memory_order_relaxed);
    return true;
}

size_t
rfi_segment_mapped(void)
{
    return atomic_load_explicit(&mapped_bytes, memory_order_relaxed);
}
