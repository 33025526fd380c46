# Assay from the tree that this port lies in:
#   vcpkg install 'assay[json,sqlite]' --overlay-ports=<tree>/cmake/ports
# A registry's copy of the port takes a release instead: vcpkg_from_github(OUT_SOURCE_PATH SOURCE_PATH …) with the hash of its archive.
# Features bring the libraries of components; they change nothing of what is installed.
cmake_path(GET CMAKE_CURRENT_LIST_DIR PARENT_PATH SOURCE_PATH)
cmake_path(GET SOURCE_PATH PARENT_PATH SOURCE_PATH)
cmake_path(GET SOURCE_PATH PARENT_PATH SOURCE_PATH)

set(VCPKG_BUILD_TYPE release)  # headers alone

vcpkg_cmake_configure(
  SOURCE_PATH "${SOURCE_PATH}"
  OPTIONS
    -DASSAY_BUILD_TESTS=OFF
    -DASSAY_BUILD_EXAMPLES=OFF
    -DASSAY_BUILD_BENCH=OFF
)
vcpkg_cmake_install()
vcpkg_cmake_config_fixup(CONFIG_PATH share/cmake/assay)
vcpkg_fixup_pkgconfig()

file(REMOVE_RECURSE "${CURRENT_PACKAGES_DIR}/share/doc")  # the license, which lies elsewhere
file(INSTALL "${CMAKE_CURRENT_LIST_DIR}/usage" DESTINATION "${CURRENT_PACKAGES_DIR}/share/${PORT}")
vcpkg_install_copyright(FILE_LIST "${SOURCE_PATH}/LICENSE")
