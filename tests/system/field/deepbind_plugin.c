/* SPDX-License-Identifier: MIT
 *
 * Case 1: a host opens a plug-in with RTLD_DEEPBIND. Whatever the allocator
 * does about it, blocks must be able to cross between host, plug-in and libc
 * in every direction. The plug-in is named without a path, so it is found
 * through the RUNPATH of this program: a wrapper around dlopen that calls it
 * as a function makes the linker look through the wrapper's RUNPATH instead.
 * A namespace of its own (dlmopen) has a libc of its own, and works as well.
 */
#include <dlfcn.h>

#include "case.h"
#include "deepbind_plugin.h"

#define PLUGIN "libdeepbind_plugin.so"

static const plugin_t *
plugin_of(void *handle)
{
    if (handle == NULL) {
        say(dlerror());
        say("\n");
    }
    EXPECT(handle != NULL);
    return (const plugin_t *)dlsym(handle, "plugin");
}

/* A block that starts here, grows there and ends here. */
static void
pass_blocks(const plugin_t *plugin)
{
    for (size_t size = 1; size <= 4 * MIB; size = size * 3 + 1) {
        char *block = malloc(size);

        memset(block, 'r', size);
        block = plugin->resize(block, 2 * size);
        EXPECT(block != NULL && block[0] == 'r' && block[size - 1] == 'r');
        block = realloc(block, 3 * size);
        EXPECT(block != NULL && block[size - 1] == 'r');
        free(block);
        free(plugin->allocate(size));
    }
}

int
main(void)
{
    const plugin_t *plugin =
        plugin_of(dlopen(PLUGIN, RTLD_NOW | RTLD_DEEPBIND));
    const plugin_t *apart =
        plugin_of(dlmopen(LM_ID_NEWLM, PLUGIN, RTLD_NOW | RTLD_DEEPBIND));

    plugin->free_what_libc_returns();
    pass_blocks(plugin);
    apart->free_what_libc_returns();
    EXPECT(dlopen("libringfence_no_such_library.so",
                  RTLD_NOW | RTLD_DEEPBIND) == NULL);
    EXPECT(strstr(dlerror(), "libringfence_no_such_library.so") != NULL);
    EXPECT(dlopen(NULL, RTLD_NOW) != NULL);
    return finish();
}
