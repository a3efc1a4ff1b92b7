# Warnings that both compilers must be silent about. RINGFENCE_WERROR turns
# them into errors; CI sets it, a shipped build never does.
option(RINGFENCE_WERROR "Treat warnings as errors" OFF)

add_library(ringfence_warnings INTERFACE)
target_compile_options(ringfence_warnings INTERFACE
  -Wall -Wextra -Wundef -Wshadow -Wconversion -Wsign-conversion -Wcast-qual
  -Wwrite-strings -Wvla -Wformat=2
  $<$<COMPILE_LANGUAGE:C>:-Wstrict-prototypes>
  $<$<COMPILE_LANGUAGE:C>:-Wmissing-prototypes>
  $<$<COMPILE_LANGUAGE:C>:-Wswitch-enum>
  $<$<BOOL:${RINGFENCE_WERROR}>:-Werror>)
