/* SPDX-License-Identifier: MIT
 *
 * The table of size classes; tests/unit/test_size_class.c proves it against
 * the rules in size_class.h.
 */
#include "heap/size_class.h"

/* ceil(2^64 / size), for rfi_size_class_is_start(). */
#define MAGIC(size) (UINT64_MAX / (size) + 1)
#define ONE_GRANULE(size) {(size), 1, RFI_GRANULE_SIZE / (size), MAGIC(size)}
#define WIDE(size) \
    {(size), RFI_WIDE_SPAN_GRANULES, \
     RFI_WIDE_SPAN_GRANULES * RFI_GRANULE_SIZE / (size), MAGIC(size)}

const rfi_size_class_t rfi_size_classes[RFI_CLASS_COUNT] = {
    /* spacing 16 */
    ONE_GRANULE(16),
    ONE_GRANULE(32),
    ONE_GRANULE(48),
    ONE_GRANULE(64),
    ONE_GRANULE(80),
    ONE_GRANULE(96),
    ONE_GRANULE(112),
    ONE_GRANULE(128),
    /* spacing 32 */
    ONE_GRANULE(160),
    ONE_GRANULE(192),
    ONE_GRANULE(224),
    ONE_GRANULE(256),
    /* spacing 64 */
    ONE_GRANULE(320),
    ONE_GRANULE(384),
    ONE_GRANULE(448),
    ONE_GRANULE(512),
    /* spacing 128 */
    ONE_GRANULE(640),
    ONE_GRANULE(768),
    ONE_GRANULE(896),
    ONE_GRANULE(1024),
    /* spacing 256 */
    ONE_GRANULE(1280),
    ONE_GRANULE(1536),
    ONE_GRANULE(1792),
    ONE_GRANULE(2048),
    /* spacing 512 */
    ONE_GRANULE(2560),
    ONE_GRANULE(3072),
    ONE_GRANULE(3584),
    ONE_GRANULE(4096),
    /* spacing 1024 */
    ONE_GRANULE(5120),
    ONE_GRANULE(6144),
    ONE_GRANULE(7168),
    ONE_GRANULE(8192),
    /* spacing 2048 */
    WIDE(10240),
    WIDE(12288),
    WIDE(14336),
    WIDE(16384),
    /* spacing 4096 */
    WIDE(20480),
    WIDE(24576),
    WIDE(28672),
    WIDE(32768),
    /* spacing 8192 */
    WIDE(40960),
    WIDE(49152),
    WIDE(57344),
    WIDE(65536),
};

const uint8_t rfi_size_class_table[RFI_FAST_SIZE_MAX / RFI_BLOCK_QUANTUM + 1] =
    {
        0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 8, 9, 9, 10, 10, 11,
        11, 12, 12, 12, 12, 13, 13, 13, 13, 14, 14, 14, 14, 15, 15, 15,
        15, 16, 16, 16, 16, 16, 16, 16, 16, 17, 17, 17, 17, 17, 17, 17,
        17, 18, 18, 18, 18, 18, 18, 18, 18, 19, 19, 19, 19, 19, 19, 19,
        19,
};

unsigned
rfi_size_class_of_aligned(size_t size, size_t align)
{
    size_t padded = rfi_align_up(rfi_max(size, 1), align);

    if (padded > RFI_CLASS_SIZE_MAX) {
        return RFI_CLASS_COUNT;
    }
    for (unsigned c = rfi_size_class_of(padded); c < RFI_CLASS_COUNT; c++) {
        if (rfi_size_classes[c].block_size % align == 0) {
            return c;
        }
    }
    return RFI_CLASS_COUNT;
}
