# What is installed and packed: `cmake --install <build>` by the components `headers` and `tools`, and with
#   cpack --config <build>/CPackConfig.cmake -G DEB
# the Debian packages libassay-dev (headers, for every architecture) and assay (the command-line tool, if it was built).

include(CMakePackageConfigHelpers)

set(package_directory "${CMAKE_INSTALL_DATADIR}/cmake/assay")
configure_package_config_file(cmake/assay-config.cmake.in assay-config.cmake INSTALL_DESTINATION "${package_directory}"
  NO_CHECK_REQUIRED_COMPONENTS_MACRO NO_SET_AND_CHECK_MACRO)
write_basic_package_version_file(assay-config-version.cmake COMPATIBILITY SameMajorVersion ARCH_INDEPENDENT)

install(TARGETS assay_headers EXPORT assay-targets FILE_SET HEADERS COMPONENT headers)
install(EXPORT assay-targets NAMESPACE assay:: DESTINATION "${package_directory}" COMPONENT headers)
install(FILES "${CMAKE_CURRENT_BINARY_DIR}/assay-config.cmake" "${CMAKE_CURRENT_BINARY_DIR}/assay-config-version.cmake"
  cmake/components.cmake cmake/compiled.cmake DESTINATION "${package_directory}" COMPONENT headers)
install(FILES include/assay/fleet/chips/chips.csv include/assay/release/default_policy.json include/assay/report/run.schema.json
  DESTINATION "${CMAKE_INSTALL_DATADIR}/assay" COMPONENT headers)
install(FILES LICENSE DESTINATION "${CMAKE_INSTALL_DOCDIR}" COMPONENT headers)

# The build tree is a package, too: -Dassay_DIR=<build>.
export(EXPORT assay-targets NAMESPACE assay:: FILE assay-targets.cmake)
configure_file(cmake/components.cmake components.cmake COPYONLY)
configure_file(cmake/compiled.cmake compiled.cmake COPYONLY)

# What is installed finds libraries where the linker found them, as CUDA's, which lie where systems do not search.
foreach(program IN ITEMS assay assay_host)
  if(TARGET ${program})
    set_target_properties(${program} PROPERTIES INSTALL_RPATH_USE_LINK_PATH ON)
  endif()
endforeach()

# For pkg-config, relative to where the file lies, so that the tree may be moved.
set(pkg_config_directory "${CMAKE_INSTALL_DATADIR}/pkgconfig")
cmake_path(IS_ABSOLUTE pkg_config_directory pkg_config_is_absolute)
if(pkg_config_is_absolute)
  set(pkg_config_prefix "${CMAKE_INSTALL_PREFIX}")
else()
  cmake_path(RELATIVE_PATH CMAKE_INSTALL_PREFIX BASE_DIRECTORY "${CMAKE_INSTALL_PREFIX}/${pkg_config_directory}" OUTPUT_VARIABLE pkg_config_prefix)
  set(pkg_config_prefix "\${pcfiledir}/${pkg_config_prefix}")
endif()
cmake_path(APPEND pkg_config_include_directory "\${prefix}" "${CMAKE_INSTALL_INCLUDEDIR}")
configure_file(cmake/assay.pc.in assay.pc @ONLY)
install(FILES "${CMAKE_CURRENT_BINARY_DIR}/assay.pc" DESTINATION "${pkg_config_directory}" COMPONENT headers)

# --- Debian packages -------------------------------------------------------------------------------------------------

# Each package is a group: what its component installs, and a copyright file in its own documentation folder.
foreach(package IN ITEMS libassay-dev assay)
  install(FILES cmake/debian/copyright DESTINATION "${CMAKE_INSTALL_DATADIR}/doc/${package}" COMPONENT debian-${package} EXCLUDE_FROM_ALL)
endforeach()

set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "validation of AI accelerators, from a kernel to a release")
set(CPACK_PACKAGE_VENDOR "The Assay contributors")
set(CPACK_PACKAGE_CONTACT "The Assay contributors <assay@packages.invalid>" CACHE STRING "Maintainer of the Debian packages, as in: Jane Doe <jane@example.org>")
set(CPACK_GENERATOR DEB)
set(CPACK_VERBATIM_VARIABLES ON)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)

set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_COMPONENTS_GROUPING ONE_PER_GROUP)
set(CPACK_COMPONENTS_ALL headers debian-libassay-dev)
set(CPACK_COMPONENT_HEADERS_GROUP libassay-dev)
set(CPACK_COMPONENT_DEBIAN-LIBASSAY-DEV_GROUP libassay-dev)
set(CPACK_COMPONENT_TOOLS_GROUP assay)
set(CPACK_COMPONENT_DEBIAN-ASSAY_GROUP assay)
if(TARGET assay)
  list(APPEND CPACK_COMPONENTS_ALL tools debian-assay)
endif()
if(TARGET assay_host)
  list(APPEND CPACK_COMPONENTS_ALL host)
  set(CPACK_COMPONENT_HOST_GROUP assay)
endif()

set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_PRIORITY optional)
set(CPACK_DEBIAN_LIBASSAY-DEV_PACKAGE_NAME libassay-dev)
set(CPACK_DEBIAN_LIBASSAY-DEV_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_LIBASSAY-DEV_PACKAGE_ARCHITECTURE all)
set(CPACK_DEBIAN_LIBASSAY-DEV_PACKAGE_SUGGESTS "assay, libopenblas-dev, libdnnl-dev, libeigen3-dev, libtrilinos-kokkos-dev, nlohmann-json3-dev, libssl-dev, libsqlite3-dev, libpq-dev, libboost-dev, libopenmpi-dev, libgloo-dev")
set(CPACK_DEBIAN_LIBASSAY-DEV_DESCRIPTION "Assay is a header-only C++20 library: it fills the operands, runs the
kernel under test, computes a reference and the error that a correct
kernel may make, compares every element, and says what is wrong. The
suggested packages are for optional components.")
set(CPACK_DEBIAN_ASSAY_PACKAGE_NAME assay)
set(CPACK_DEBIAN_ASSAY_PACKAGE_SECTION science)
set(CPACK_DEBIAN_ASSAY_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_ASSAY_DESCRIPTION "The command-line tool of Assay: it runs suites over the kernels of this
machine, writes reports, keeps golden outputs and histories, and gates
releases.")
include(CPack)
