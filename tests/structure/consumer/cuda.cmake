# find_package, with CUDA as a language of CMake's.
include("${CMAKE_CURRENT_LIST_DIR}/common.cmake")
install_headers()
run("${CMAKE_COMMAND}" ${toolchain} "-DCMAKE_CUDA_COMPILER=${NVCC}" "-DCMAKE_CUDA_HOST_COMPILER=${COMPILER}"
  -DCMAKE_CUDA_ARCHITECTURES=90 "-DCMAKE_PREFIX_PATH=${prefix}" -S "${consumer}/cuda" -B "${WORK}/build")
require_success("configuration with CUDA")
run("${CMAKE_COMMAND}" --build "${WORK}/build")
require_success("build with CUDA")
run("${WORK}/build/consumer")
require_success("the consumer with CUDA")
message(STATUS "the consumer said: ${output}")
