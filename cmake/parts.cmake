# rf_add_part(DIR): add_subdirectory for a part that may not be there.
function(rf_add_part directory)
  if(EXISTS ${CMAKE_CURRENT_SOURCE_DIR}/${directory}/CMakeLists.txt)
    add_subdirectory(${directory})
  endif()
endfunction()

# rf_add_tree(DIR [LABEL]): DIR when it has a CMakeLists.txt, else those of
# its subdirectories that have one. LABEL marks the tests found there.
function(rf_add_tree directory)
  if(EXISTS ${CMAKE_CURRENT_SOURCE_DIR}/${directory}/CMakeLists.txt)
    add_subdirectory(${directory})
    set_property(DIRECTORY ${directory} APPEND PROPERTY LABELS ${ARGN})
    return()
  endif()
  file(GLOB children CONFIGURE_DEPENDS LIST_DIRECTORIES true
    RELATIVE ${CMAKE_CURRENT_SOURCE_DIR} ${directory}/*)
  foreach(child IN LISTS children)
    if(IS_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR}/${child})
      rf_add_tree(${child} ${ARGN})
    endif()
  endforeach()
endfunction()
