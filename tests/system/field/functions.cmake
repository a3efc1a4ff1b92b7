# How field cases are built and registered.

# Warnings as everywhere; the compiler must not know what malloc does, or it
# would remove the very calls a case is made of.
function(rf_field_options target)
  target_compile_options(${target} PRIVATE -O2 -g -fno-builtin
    $<$<COMPILE_LANGUAGE:CXX>:-fsized-deallocation>)
  target_compile_definitions(${target} PRIVATE _GNU_SOURCE)
  if(TARGET ringfence_warnings)
    target_link_libraries(${target} PRIVATE ringfence_warnings)
  endif()
endfunction()

# rf_field_program(NAME [source...]): NAME.c or NAME.cc unless told otherwise.
function(rf_field_program name)
  set(sources ${ARGN})
  if(NOT sources)
    file(GLOB sources ${name}.c ${name}.cc)
  endif()
  add_executable(field_${name} ${sources})
  rf_field_options(field_${name})
  target_link_libraries(field_${name} PRIVATE
    Threads::Threads ${CMAKE_DL_LIBS})
endfunction()

# rf_field_library(NAME SOURCE [definition...]): a shared object of a case.
function(rf_field_library name source)
  add_library(field_${name} SHARED ${source})
  rf_field_options(field_${name})
  target_compile_definitions(field_${name} PRIVATE ${ARGN})
  set_target_properties(field_${name} PROPERTIES OUTPUT_NAME ${name}
    LIBRARY_OUTPUT_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR})
endfunction()

# rf_field_test(NAME PROGRAM [QUICK] [RUNNER option...] [ARGS word...]
# [TIMEOUT seconds]): a test per mode. QUICK: its short form takes less than
# 2 s. PROGRAM is one of rf_field_program or a path.
function(rf_field_test name program)
  cmake_parse_arguments(ARG "QUICK" "TIMEOUT" "RUNNER;ARGS" ${ARGN})
  set(labels system field)
  set(timeout 30)
  if(ARG_QUICK)
    list(APPEND labels quick)
  endif()
  if(ARG_TIMEOUT)
    set(timeout ${ARG_TIMEOUT})
  endif()
  if(TARGET field_${program})
    set(program $<TARGET_FILE:field_${program}>)
  endif()
  math(EXPR limit "${timeout} + 10")
  foreach(mode IN LISTS RINGFENCE_TEST_MODES)
    add_test(NAME field.${mode}.${name} COMMAND ${rf_test_python}
      ${CMAKE_CURRENT_SOURCE_DIR}/run_case.py --library=${rf_test_library}
      --mode=${mode} --timeout=${timeout} ${ARG_RUNNER} --
      ${program} ${ARG_ARGS})
    set_tests_properties(field.${mode}.${name} PROPERTIES
      LABELS "${labels}" TIMEOUT ${limit} SKIP_RETURN_CODE 77)
  endforeach()
endfunction()

# A program with one test of its name: rf_field_case(NAME [option...]).
function(rf_field_case name)
  rf_field_program(${name})
  rf_field_test(${name} ${name} ${ARGN})
endfunction()

# A mistake that must be reported as KIND, and its correct twin.
function(rf_field_mistake name kind)
  rf_field_test(wrong_pointer.${name} wrong_pointer QUICK
    RUNNER --verdict=fault:${kind} ARGS ${name} wrong)
  rf_field_test(right_pointer.${name} wrong_pointer QUICK ARGS ${name} right)
endfunction()
