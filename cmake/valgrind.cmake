# rf_run_under_valgrind(DIR label): every test program built below DIR once
# more, under Valgrind. It knows nothing of the heap's blocks, which is fine:
# what it finds are reads of bytes that nobody has written.
find_program(VALGRIND valgrind REQUIRED)

function(rf_run_under_valgrind directory label)
  get_property(targets DIRECTORY ${directory} PROPERTY BUILDSYSTEM_TARGETS)
  foreach(target IN LISTS targets)
    get_target_property(type ${target} TYPE)
    if(type STREQUAL EXECUTABLE)
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
