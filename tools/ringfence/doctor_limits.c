/* SPDX-License-Identifier: MIT
 *
 * Resource limits that an allocator runs into.
 */
#include <stddef.h>
#include <sys/resource.h>

#include "doctor.h"
#include "say.h"

/* Below this a program of some size has no room beside its own files. */
#define SMALL_BYTES ((rlim_t)64 << 20)

static void
check_limit(const char *name, __rlimit_resource_t resource, const char *advice)
{
    struct rlimit limit;
    if (getrlimit(resource, &limit) != 0) {
        return;
    }
    if (limit.rlim_cur == RLIM_INFINITY) {
        doctor_find(DOCTOR_OK, name, text_format("unlimited"), NULL);
        return;
    }
    const bool small = advice != NULL && limit.rlim_cur < SMALL_BYTES;
    doctor_find(
        small ? DOCTOR_WARN : DOCTOR_OK, name,
        text_format("%llu KiB", (unsigned long long)limit.rlim_cur / 1024),
        small ? advice : NULL);
}

void
doctor_check_limits(void)
{
    check_limit("RLIMIT_AS", RLIMIT_AS,
                "programs may be out of memory early; `ulimit -v` raises it");
    check_limit("RLIMIT_DATA", RLIMIT_DATA,
                "programs may be out of memory early; `ulimit -d` raises it");
    check_limit("RLIMIT_MEMLOCK", RLIMIT_MEMLOCK, NULL);
}
