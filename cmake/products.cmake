# The libraries that are shipped, put together from the objects of the layers.
#
#   ringfence_shared   libringfence.so          rf_* only, hijacks nothing
#   ringfence_static   libringfence.a           the same
#   ringfence_preload  libringfence_preload.so  and the malloc family
#   ringfence_malloc   libringfence_malloc.a    the same in one object
#
# Objects, not archives: nothing is left out because nobody called it, and
# --exclude-libs hides what comes from archives of the compiler only.
set(RINGFENCE_INTERFACE_HEADERS
  $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>
  $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)

function(rf_add_product name type alias output)
  add_library(${name} ${type} ${ARGN})
  add_library(ringfence::${alias} ALIAS ${name})
  set_target_properties(${name} PROPERTIES
    OUTPUT_NAME ${output} EXPORT_NAME ${alias} LINKER_LANGUAGE C)
  target_include_directories(${name} INTERFACE ${RINGFENCE_INTERFACE_HEADERS})
endfunction()

# nodelete: threads and exit handlers outlive any dlclose. now, relro: no
# writable jump table. defs: a missing symbol fails here, not at load time.
# as-needed: CMake names libstdc++ for the one C++ file, which refers to it
# weakly; gcc drops it by itself, clang does not.
function(rf_harden_shared name version_script)
  target_link_options(${name} PRIVATE
    LINKER:--as-needed LINKER:-z,nodelete LINKER:-z,now LINKER:-z,relro
    LINKER:-z,defs
    LINKER:--exclude-libs,ALL LINKER:--version-script=${version_script})
  set_target_properties(${name} PROPERTIES LINK_DEPENDS ${version_script})
endfunction()

set(api_objects "")
set(all_objects "")
foreach(layer IN LISTS RINGFENCE_LAYERS)
  list(APPEND all_objects $<TARGET_OBJECTS:rf_${layer}>)
  if(NOT layer STREQUAL interpose)
    list(APPEND api_objects $<TARGET_OBJECTS:rf_${layer}>)
  endif()
endforeach()

rf_add_product(ringfence_static STATIC static ringfence ${api_objects})

# A sanitizer brings its own malloc: only the layers' tests run under one.
if(RINGFENCE_SANITIZE)
  return()
endif()

rf_add_product(ringfence_shared SHARED ringfence ringfence ${api_objects})
target_link_libraries(ringfence_shared PRIVATE ringfence_code)
rf_harden_shared(ringfence_shared ${PROJECT_SOURCE_DIR}/cmake/ringfence.map)
set_target_properties(ringfence_shared PROPERTIES
  VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR})

if(NOT TARGET rf_interpose)
  return()
endif()

rf_add_product(ringfence_preload SHARED preload ringfence_preload
  ${all_objects})
target_link_libraries(ringfence_preload PRIVATE ringfence_code)
rf_harden_shared(ringfence_preload
  ${PROJECT_SOURCE_DIR}/cmake/ringfence_preload.map)
# A C++ program may never name malloc itself; it must get the library anyway.
target_link_options(ringfence_preload INTERFACE LINKER:--no-as-needed)

# One object: a program gets every interposing symbol or none, never malloc
# from here and free from elsewhere. Internal names become local, so that the
# object cannot clash with a libringfence loaded into the same program. Without
# section groups: else the linker may drop the program's own copy of one in
# favour of ours, whose name has just become local.
set(malloc_object ${PROJECT_BINARY_DIR}/lib/ringfence_malloc.o)
add_custom_command(OUTPUT ${malloc_object}
  COMMAND ${CMAKE_LINKER} -r -o ${malloc_object} ${all_objects}
  COMMAND ${CMAKE_OBJCOPY} --localize-hidden --remove-section=.group
    ${malloc_object}
  DEPENDS ${all_objects}
  COMMAND_EXPAND_LISTS VERBATIM
  COMMENT "Linking ringfence_malloc.o")
rf_add_product(ringfence_malloc STATIC malloc ringfence_malloc
  ${malloc_object})
set_source_files_properties(${malloc_object} PROPERTIES
  EXTERNAL_OBJECT ON GENERATED ON)
# With -flto the compiler takes malloc for a builtin and does not ask for it
# until the archive has been passed over; without this, libc's would be used.
target_link_options(ringfence_malloc INTERFACE LINKER:--undefined=malloc)
# A static C++ program must have what a failing operator new throws with, even
# when nothing else in it asks for that part of libstdc++.
target_link_options(ringfence_malloc INTERFACE "$<$<LINK_LANGUAGE:CXX>:LINKER:\
--undefined=_ZSt17__throw_bad_allocv,--undefined=_ZSt15get_new_handlerv>")
