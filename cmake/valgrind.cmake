# rf_run_under_valgrind(DIR label): every test program built below DIR once
# more, under Valgrind. It knows nothing of the heap's blocks, which is fine:
# what it finds are reads of bytes that nobody has written.
find_program(VALGRIND valgrind REQUIRED)

# Not these: they limit the address space, ask the kernel what is mapped where
# or touch what must not be touched, and Valgrind answers in its place.
set(RINGFENCE_NOT_UNDER_VALGRIND
  test_directory test_front test_granule test_huge test_large
  test_mem_torture test_page_linux)

function(rf_run_under_valgrind directory label)
  get_property(targets DIRECTORY ${directory} PROPERTY BUILDSYSTEM_TARGETS)
  foreach(target IN LISTS targets)
    get_target_property(type ${target} TYPE)
    if(type STREQUAL EXECUTABLE
       AND NOT target IN_LIST RINGFENCE_NOT_UNDER_VALGRIND)
      add_test(NAME valgrind.${target} COMMAND ${VALGRIND} --quiet
        --error-exitcode=99 --leak-check=no $<TARGET_FILE:${target}>)
      set_tests_properties(valgrind.${target} PROPERTIES
        TIMEOUT 300 LABELS ${label})
    endif()
  endforeach()
  get_property(children DIRECTORY ${directory} PROPERTY SUBDIRECTORIES)
  foreach(child IN LISTS children)
    rf_run_under_valgrind(${child} ${label})
  endforeach()
endfunction()
