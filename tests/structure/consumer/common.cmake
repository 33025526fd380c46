# What the tests of consumption share. Each is a script beside this one, which CMakeLists.txt runs with
#   SOURCE BUILD      Assay's source and build trees
#   WORK              an empty folder of the test's own
#   GENERATOR COMPILER

cmake_minimum_required(VERSION 3.25)

file(REMOVE_RECURSE "${WORK}")
file(MAKE_DIRECTORY "${WORK}")
set(consumer "${CMAKE_CURRENT_LIST_DIR}")
set(prefix "${WORK}/prefix")
set(toolchain -G "${GENERATOR}" "-DCMAKE_CXX_COMPILER=${COMPILER}")
file(STRINGS "${SOURCE}/include/assay/core/version.hpp" version REGEX "version = \"")
string(REGEX REPLACE ".*\"([0-9.]+)\".*" "\\1" version "${version}")

# Runs a command; its exit code is `status`, what it printed `output`.
function(run)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE output)
  set(status "${status}" PARENT_SCOPE)
  set(output "${output}" PARENT_SCOPE)
endfunction()

macro(require_success what)
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "${what} failed (${status}):\n${output}")
  endif()
endmacro()

# The last command must have failed, with a message like the expression.
macro(require_failure what expression)
  if(status EQUAL 0 OR NOT output MATCHES "${expression}")
    message(FATAL_ERROR "${what} should fail and say '${expression}':\n${output}")
  endif()
endmacro()

macro(require_that what)
  if(NOT (${ARGN}))
    message(FATAL_ERROR "${what}:\n${output}")
  endif()
endmacro()

macro(install_headers)
  run("${CMAKE_COMMAND}" --install "${BUILD}" --prefix "${prefix}" --component headers)
  require_success("installation")
endmacro()

macro(configure_consumer)
  run("${CMAKE_COMMAND}" ${toolchain} -S "${consumer}" -B "${WORK}/build" ${ARGN})
endmacro()

# Configures, builds and runs the consumer.
macro(consume)
  configure_consumer(${ARGN})
  require_success("configuration")
  set(configuration_output "${output}")
  run("${CMAKE_COMMAND}" --build "${WORK}/build")
  require_success("build")
  run_consumer()
endmacro()

macro(run_consumer)
  file(GLOB program "${WORK}/build/consumer" "${WORK}/build/*/consumer")
  run(${program})
  require_success("the consumer")
  require_that("the consumer should be of version ${version}" output MATCHES "^assay ${version}\n")
endmacro()
