# Registers the tests of consumption: each is a script of this folder, run in a folder of its own.

function(assay_add_consumer name)
  add_test(NAME consumer_${name} COMMAND "${CMAKE_COMMAND}" "-DSOURCE=${PROJECT_SOURCE_DIR}" "-DBUILD=${PROJECT_BINARY_DIR}"
    "-DWORK=${CMAKE_CURRENT_BINARY_DIR}/consumer_${name}" "-DGENERATOR=${CMAKE_GENERATOR}" "-DCOMPILER=${CMAKE_CXX_COMPILER}" ${ARGN}
    -P "${CMAKE_CURRENT_SOURCE_DIR}/consumer/${name}.cmake")
  set_tests_properties(consumer_${name} PROPERTIES TIMEOUT 300 SKIP_REGULAR_EXPRESSION "(^|\n)skipped: ")
endfunction()

foreach(name IN ITEMS installed compiled build_tree subdirectory fetch missing version vcpkg)
  assay_add_consumer(${name})
endforeach()
# All of the library, by a stage of its own.
add_test(NAME consumer_compiled_long COMMAND "${CMAKE_COMMAND}" "-DSOURCE=${PROJECT_SOURCE_DIR}" "-DBUILD=${PROJECT_BINARY_DIR}"
  "-DWORK=${CMAKE_CURRENT_BINARY_DIR}/consumer_compiled_long" "-DGENERATOR=${CMAKE_GENERATOR}" "-DCOMPILER=${CMAKE_CXX_COMPILER}" -DWHOLE=ON
  -P "${CMAKE_CURRENT_SOURCE_DIR}/consumer/compiled.cmake" CONFIGURATIONS long)
set_tests_properties(consumer_compiled_long PROPERTIES LABELS long TIMEOUT 7200)
assay_add_consumer(conan "-DENVIRONMENT=${PROJECT_BINARY_DIR}/conan")

find_program(ASSAY_TEST_BASH bash)
find_program(ASSAY_TEST_PKG_CONFIG NAMES pkg-config pkgconf)
find_program(ASSAY_TEST_DPKG_DEB dpkg-deb)
mark_as_advanced(ASSAY_TEST_BASH ASSAY_TEST_PKG_CONFIG ASSAY_TEST_DPKG_DEB)
if(ASSAY_TEST_BASH)
  assay_add_consumer(archive "-DBASH=${ASSAY_TEST_BASH}")
endif()
if(ASSAY_TEST_PKG_CONFIG)
  assay_add_consumer(pkg_config "-DPKG_CONFIG=${ASSAY_TEST_PKG_CONFIG}")
else()
  message(STATUS "assay: the test consumer_pkg_config is left out: pkg-config was not found; on Debian and Ubuntu: apt-get install pkg-config")
endif()
if(ASSAY_TEST_DPKG_DEB)
  assay_add_consumer(deb "-DDPKG_DEB=${ASSAY_TEST_DPKG_DEB}" "-DTOOL=$<TARGET_NAME_IF_EXISTS:assay>")
endif()
if(ASSAY_TEST_NVCC AND TARGET assay::cuda AND NOT CMAKE_GENERATOR MATCHES "Visual Studio|Xcode")
  assay_add_consumer(cuda "-DNVCC=${ASSAY_TEST_NVCC}")
  set_tests_properties(consumer_cuda PROPERTIES LABELS compilers)
endif()
