# rf_add_part(DIR): add_subdirectory for a part that may not be there.
function(rf_add_part directory)
  if(EXISTS ${CMAKE_CURRENT_SOURCE_DIR}/${directory}/CMakeLists.txt)
    add_subdirectory(${directory})
  endif()
endfunction()

# rf_add_parts(DIR): every directory below DIR that has a CMakeLists.txt, in
# alphabetical order. Below such a directory its own CMakeLists.txt decides.
function(rf_add_parts directory)
  file(GLOB children CONFIGURE_DEPENDS LIST_DIRECTORIES true
    RELATIVE ${CMAKE_CURRENT_SOURCE_DIR} ${directory}/*)
  foreach(child IN LISTS children)
    if(EXISTS ${CMAKE_CURRENT_SOURCE_DIR}/${child}/CMakeLists.txt)
      add_subdirectory(${child})
    elseif(IS_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR}/${child})
      rf_add_parts(${child})
    endif()
  endforeach()
endfunction()
