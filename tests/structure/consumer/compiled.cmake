# find_package(assay COMPONENTS compiled) from an install tree: the library's units are made of the installed headers, and one is compiled; with
# WHOLE all are, without optimization, and a program of the consumer's is linked with them and run, which takes minutes.
include("${CMAKE_CURRENT_LIST_DIR}/common.cmake")
install_headers()
configure_consumer("-DCMAKE_PREFIX_PATH=${prefix}" -DREQUIRED_COMPONENTS=compiled -DLINKED_COMPONENTS=json -DASSAY_TARGET=assay::compiled
  -DCMAKE_CXX_FLAGS=-O0)
require_success("configuration")
set(units "${WORK}/build/assay-compiled")
file(GLOB installed RELATIVE "${prefix}/include" "${prefix}/include/assay/core/*.ipp")
require_that("implementation files should be installed" installed)
file(READ "${units}/area_core.cpp" text)
foreach(implementation IN LISTS installed)
  string(FIND "${text}" "#include \"${implementation}\"" place)
  require_that("the library should have ${implementation}" place GREATER_EQUAL 0)
endforeach()
if(WHOLE)
  run("${CMAKE_COMMAND}" --build "${WORK}/build" --target consumer)
  require_success("build")
  run_consumer()
elseif(GENERATOR STREQUAL "Ninja")
  run("${CMAKE_COMMAND}" --build "${WORK}/build" --target CMakeFiles/assay_compiled_base.dir/assay-compiled/area_core.cpp.o)
  require_success("a unit of the library")
endif()

# Without it, nothing of it is there.
file(REMOVE_RECURSE "${WORK}/build")
configure_consumer("-DCMAKE_PREFIX_PATH=${prefix}" -DLINKED_COMPONENTS=json)
require_success("configuration")
require_that("a header-only consumer should have no units of the library" NOT EXISTS "${units}")
