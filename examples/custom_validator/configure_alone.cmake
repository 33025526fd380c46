# Installs Assay's headers from the build tree BUILD, and configures this project (SOURCE) against them in WORK, as a user would.
file(REMOVE_RECURSE "${WORK}")
execute_process(COMMAND "${CMAKE_COMMAND}" --install "${BUILD}" --prefix "${WORK}/prefix" --component headers OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND "${CMAKE_COMMAND}" -G "${GENERATOR}" "-DCMAKE_CXX_COMPILER=${COMPILER}" "-DCMAKE_PREFIX_PATH=${WORK}/prefix"
  -S "${SOURCE}" -B "${WORK}/build" COMMAND_ERROR_IS_FATAL ANY)
# Every header that the example includes is one that is installed, and none names what is not for users.
file(GLOB sources "${SOURCE}/*.hpp" "${SOURCE}/*.cpp")
foreach(source IN LISTS sources)
  file(STRINGS "${source}" includes REGEX "^#include \"assay/")
  foreach(line IN LISTS includes)
    string(REGEX REPLACE "^#include \"(.*)\"$" "\\1" header "${line}")
    if(NOT EXISTS "${WORK}/prefix/include/${header}")
      message(FATAL_ERROR "${source} includes ${header}, which is not installed")
    endif()
  endforeach()
endforeach()
