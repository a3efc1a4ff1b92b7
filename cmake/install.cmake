# What `cmake --install` puts where, the CMake and pkg-config packages that
# describe it, and the .deb that `cpack` makes of it.
include(CMakePackageConfigHelpers)

set(products ringfence_static)
foreach(product IN ITEMS ringfence_shared ringfence_preload ringfence_malloc)
  if(TARGET ${product})
    list(APPEND products ${product})
  endif()
endforeach()
install(TARGETS ${products} EXPORT ringfence-targets)
install(DIRECTORY include/ringfence DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
  FILES_MATCHING PATTERN "*.h")

# find_package(ringfence COMPONENTS ...)
set(package_directory ${CMAKE_INSTALL_LIBDIR}/cmake/ringfence)
configure_package_config_file(cmake/ringfence-config.cmake.in
  ringfence-config.cmake INSTALL_DESTINATION ${package_directory}
  NO_SET_AND_CHECK_MACRO)
write_basic_package_version_file(
  ${PROJECT_BINARY_DIR}/ringfence-config-version.cmake
  COMPATIBILITY SameMinorVersion)
install(EXPORT ringfence-targets NAMESPACE ringfence::
  DESTINATION ${package_directory})
install(FILES
  ${PROJECT_BINARY_DIR}/ringfence-config.cmake
  ${PROJECT_BINARY_DIR}/ringfence-config-version.cmake
  DESTINATION ${package_directory})

# One pkg-config file for each way to use the library. The prefix is written
# relative to the file, so that an installed tree may be moved.
set(pc_directory ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
file(RELATIVE_PATH pc_prefix /${pc_directory} /)
function(rf_install_pc name description libs)
  configure_file(cmake/ringfence.pc.in ${name}.pc @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/${name}.pc DESTINATION ${pc_directory})
endfunction()
rf_install_pc(ringfence "The rf_* interface; malloc stays libc's"
  "-lringfence")
rf_install_pc(ringfence-preload "ringfence as malloc, shared"
  "-Wl,--push-state,--no-as-needed -lringfence_preload -Wl,--pop-state")
rf_install_pc(ringfence-malloc "ringfence as malloc, static"
  "-Wl,--undefined=malloc -lringfence_malloc")

install(FILES README.md CHANGELOG.md SECURITY.md LICENSE NOTICE
  DESTINATION ${CMAKE_INSTALL_DOCDIR})

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_CONTACT "ringfence authors")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION libs)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${PROJECT_BINARY_DIR}/lib)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
include(CPack)
