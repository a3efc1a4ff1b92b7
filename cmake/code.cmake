# How the allocator's own code is compiled: it must not turn its loops into
# calls of the functions it implements, hides everything that is not
# exported, and may not be interposed within the library.
add_library(ringfence_code INTERFACE)
target_compile_options(ringfence_code INTERFACE
  -O2 -g -fvisibility=hidden -fno-semantic-interposition
  -fno-builtin-malloc -fno-builtin-calloc -fno-builtin-realloc
  -fno-builtin-free -fno-math-errno -fno-strict-aliasing
  -fno-tree-slp-vectorize)
target_compile_definitions(ringfence_code INTERFACE _GNU_SOURCE
  $<$<BOOL:${RINGFENCE_ASSERTS}>:RFI_ASSERTS>)

# Instrumented builds: the first finding ends the test.
foreach(sanitizer IN LISTS RINGFENCE_SANITIZE)
  target_compile_options(ringfence_code INTERFACE -fsanitize=${sanitizer}
    -fno-sanitize-recover=all -fno-omit-frame-pointer)
  target_link_options(ringfence_code INTERFACE -fsanitize=${sanitizer})
endforeach()
if(RINGFENCE_COVERAGE)
  target_compile_options(ringfence_code INTERFACE --coverage -O0)
  target_link_options(ringfence_code INTERFACE --coverage)
endif()
