# Consumes Assay from outside. MODE: installed (find_package), subdirectory (add_subdirectory), missing (a component whose
# library is not there must be named, with its Debian package).

file(REMOVE_RECURSE "${WORK}")
file(MAKE_DIRECTORY "${WORK}")
set(consumer "${CMAKE_CURRENT_LIST_DIR}")
set(prefix "${WORK}/prefix")

function(run result)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE output)
  set(${result} ${status} PARENT_SCOPE)
  set(output "${output}" PARENT_SCOPE)
endfunction()
macro(require_success what)
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "${what} failed:\n${output}")
  endif()
endmacro()

set(configure "${CMAKE_COMMAND}" -G "${GENERATOR}" "-DCMAKE_CXX_COMPILER=${COMPILER}" -S "${consumer}" -B "${WORK}/build")
foreach(pair IN ITEMS kokkos=Kokkos_Core.hpp cuda_headers=cuda_fp8.h cuda=cuda_runtime_api.h cublas=cublasLt.h cudnn=cudnn.h
    hip=hip/hip_runtime_api.h rocblas=rocblas/rocblas.h miopen=miopen/miopen.h openblas=cblas.h onednn=oneapi/dnnl/dnnl.hpp eigen=Eigen/Core json=nlohmann/json.hpp openssl=openssl/evp.h sqlite=sqlite3.h
    postgresql=libpq-fe.h boost_math=boost/math/distributions.hpp mpi=mpi.h gloo=gloo/context.h nccl=nccl.h rccl=rccl/rccl.h
    catch2=assay/matchers/catch2.hpp gtest=assay/matchers/gtest.hpp)
  string(REPLACE "=" "_header=" definition "${pair}")
  list(APPEND configure "-D${definition}")
endforeach()

if(MODE STREQUAL "subdirectory")
  list(APPEND configure "-DASSAY_SUBDIRECTORY=${SOURCE}")
else()
  run(status "${CMAKE_COMMAND}" --install "${BUILD}" --prefix "${prefix}" --component headers)
  require_success("installation")
  list(APPEND configure "-DCMAKE_PREFIX_PATH=${prefix}")
endif()

if(MODE STREQUAL "missing")
  run(status ${configure} -DREQUIRED_COMPONENTS=json -DCMAKE_DISABLE_FIND_PACKAGE_nlohmann_json=ON)
  if(status EQUAL 0 OR NOT output MATCHES "apt-get install nlohmann-json3-dev")
    message(FATAL_ERROR "a missing library should stop the consumer and name its package:\n${output}")
  endif()
  run(status ${configure} -DREQUIRED_COMPONENTS=jsno)
  if(status EQUAL 0 OR NOT output MATCHES "no component 'jsno'")
    message(FATAL_ERROR "an unknown component should stop the consumer and be named:\n${output}")
  endif()
  # What was only optional may be missing.
  run(status ${configure} -DREQUIRED_COMPONENTS= -DCMAKE_DISABLE_FIND_PACKAGE_nlohmann_json=ON)
  require_success("configuration without an optional component")
  if(output MATCHES "linked: json")
    message(FATAL_ERROR "json was hidden, and is linked:\n${output}")
  endif()
  return()
endif()

run(status ${configure})
require_success("configuration")
run(status "${CMAKE_COMMAND}" --build "${WORK}/build")
require_success("build")
file(GLOB program "${WORK}/build/consumer" "${WORK}/build/*/consumer")
run(status ${program})
require_success("the consumer")
if(MODE STREQUAL "installed" AND EXISTS "${prefix}/lib")
  message(FATAL_ERROR "a header-only package installs nothing below lib")
endif()
