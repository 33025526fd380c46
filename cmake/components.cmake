# The optional parts of Assay: which headers need which library, and how that library is found.
# Used by the project's own build and, installed beside the package configuration, by find_package(assay COMPONENTS …):
# the consumer decides, at find time, what is there.
#
# assay_find_component(<name>) makes the target assay::<name> if its library is found, and sets in the caller
#   assay_<name>_FOUND    TRUE or FALSE
#   assay_<name>_MESSAGE  if not found: what is missing and the Debian package that has it

set(ASSAY_COMPONENTS kokkos cuda_headers cuda cublas cudnn hip rocblas miopen openblas onednn eigen json openssl sqlite postgresql boost_math mpi gloo nccl rccl catch2 gtest)

# The leaves: headers that need optional libraries, as <pattern>=<component> or <pattern>=<component>+<component>, relative to
# include/assay/. No other header of Assay includes them, but for leaves that need the same and more.
set(ASSAY_LEAVES
  "backends/(detail/)?kokkos.*=kokkos"
  "backends/(detail/)?cuda.*=cuda"
  "backends/(detail/)?hip.*=hip"
  "adapters/cublas/.*=cuda+cublas"
  "adapters/cudnn/.*=cuda+cudnn"
  "adapters/rocblas/.*=hip+rocblas"
  "adapters/miopen/.*=hip+miopen"
  "formats/kokkos.hpp=kokkos"
  "formats/cuda.hpp=cuda_headers"
  "adapters/openblas/.*=openblas"
  "adapters/onednn/.*=onednn"
  "adapters/eigen/.*=eigen"
  "matchers/catch2.hpp=catch2"
  "matchers/gtest.hpp=gtest"
  "report/(json|sarif|ocp).hpp=json"
  "io/(safetensors|detail/safetensors_header_parser).hpp=json"
  "validators/(minimise/case|envelope/envelope)_file.hpp=json"
  "release/(policy_file|gate_sarif|matrix_file|results_folder|compatibility_json|detail/commented_json).hpp=json"
  "performance/(history_jsonl|import_results|detail/(history_line|google_benchmark|pytest_benchmark|nvbench)_reader|detail/(json_place|history_line_scanner)).hpp=json"
  "performance/(history_sqlite|detail/sqlite_statement).hpp=sqlite"
  "validators/profile/(function_)?profile_file.hpp=json"
  "baselines/(record_form|record_archive|baseline|prune).hpp=json+openssl"
  "baselines/detail/record_reader.hpp=json"
  "baselines/detail/(sha256|baseline_key|observe_tensor).hpp=openssl"
  "baselines/sqlite_store.hpp=sqlite"
  "baselines/postgresql_store.hpp=postgresql"
  "suite/mpi_channel.hpp=mpi"
  "statistics/(distributions|prediction_interval).hpp=boost_math"
  "collectives/measurement/sweep_json.hpp=json"
  "performance/prediction_interval_detector.hpp=boost_math"
  "training/(loss_equivalence|check_convergence_parity).hpp=boost_math"
  "collectives/(detail/)?mpi.*=mpi"
  "collectives/(detail/)?gloo.*=gloo"
  "collectives/nccl.hpp=nccl+cuda"
  "collectives/rccl.hpp=rccl+hip")

# The components that `header` (relative to include/assay/) needs, as a list; empty if none.
function(assay_components_of header result)
  set(${result} "" PARENT_SCOPE)
  foreach(leaf IN LISTS ASSAY_LEAVES)
    string(REGEX MATCH "^(.*)=(.*)$" matched "${leaf}")
    set(components "${CMAKE_MATCH_2}")
    if(header MATCHES "^${CMAKE_MATCH_1}$")
      string(REPLACE "+" ";" components "${components}")
      set(${result} ${components} PARENT_SCOPE)
      return()
    endif()
  endforeach()
endfunction()

macro(_assay_missing what package)
  set(message "${what} was not found; on Debian and Ubuntu: apt-get install ${package}")
endmacro()

# Each of these sets `links` (targets or libraries), `includes`, `definitions`, or `message` in the caller's scope.

macro(_assay_find_kokkos)
  # Debian's Kokkos 3.4 turns extensions off for the whole build, with a warning, unless it sees that they are off.
  set(CMAKE_CXX_EXTENSIONS OFF)
  find_package(Kokkos CONFIG QUIET)
  if(TARGET Kokkos::kokkos)
    # The target of the same Kokkos names an include directory that has no headers.
    get_target_property(kokkos_includes Kokkos::kokkos INTERFACE_INCLUDE_DIRECTORIES)
    if(Kokkos_INCLUDE_DIRS AND EXISTS "${Kokkos_INCLUDE_DIRS}/Kokkos_Core.hpp" AND kokkos_includes)
      set(includes "${Kokkos_INCLUDE_DIRS}")
      set_target_properties(Kokkos::kokkos PROPERTIES INTERFACE_INCLUDE_DIRECTORIES "${Kokkos_INCLUDE_DIRS}")
    endif()
    set(links Kokkos::kokkos)
  else()
    _assay_missing("Kokkos" libtrilinos-kokkos-dev)
  endif()
endmacro()

# The headers alone: CUDA's number types work without nvcc, and without a GPU.
macro(_assay_find_cuda_headers)
  find_path(ASSAY_CUDA_INCLUDE_DIRECTORY cuda_fp4.h HINTS ENV CUDA_PATH ENV CUDA_HOME /usr/local/cuda PATH_SUFFIXES include)
  mark_as_advanced(ASSAY_CUDA_INCLUDE_DIRECTORY)
  if(ASSAY_CUDA_INCLUDE_DIRECTORY)
    set(includes "${ASSAY_CUDA_INCLUDE_DIRECTORY}")
  else()
    set(message "CUDA 12.8 or newer was not found; set CUDA_PATH to its folder, or install NVIDIA's package cuda-cudart-dev")
  endif()
endmacro()

set(ASSAY_CUDA_PLACES HINTS ENV CUDA_PATH ENV CUDA_HOME /usr/local/cuda PATH_SUFFIXES lib lib64 include)
set(ASSAY_ROCM_PLACES HINTS ENV ROCM_PATH /opt/rocm PATH_SUFFIXES lib include)

# The runtime: memory, streams and events. Units that launch kernels are compiled by nvcc besides.
macro(_assay_find_cuda)
  find_path(ASSAY_CUDA_RUNTIME_INCLUDE_DIRECTORY cuda_runtime_api.h ${ASSAY_CUDA_PLACES})
  find_library(ASSAY_CUDA_RUNTIME_LIBRARY cudart ${ASSAY_CUDA_PLACES})
  mark_as_advanced(ASSAY_CUDA_RUNTIME_INCLUDE_DIRECTORY ASSAY_CUDA_RUNTIME_LIBRARY)
  if(ASSAY_CUDA_RUNTIME_INCLUDE_DIRECTORY AND ASSAY_CUDA_RUNTIME_LIBRARY)
    set(links "${ASSAY_CUDA_RUNTIME_LIBRARY}")
    set(includes "${ASSAY_CUDA_RUNTIME_INCLUDE_DIRECTORY}")
  else()
    set(message "the CUDA runtime was not found; set CUDA_PATH to its folder, or install NVIDIA's package cuda-cudart-dev")
  endif()
endmacro()

macro(_assay_find_cublas)
  find_path(ASSAY_CUBLAS_INCLUDE_DIRECTORY cublasLt.h ${ASSAY_CUDA_PLACES})
  find_library(ASSAY_CUBLAS_LIBRARY cublas ${ASSAY_CUDA_PLACES})
  find_library(ASSAY_CUBLASLT_LIBRARY cublasLt ${ASSAY_CUDA_PLACES})
  mark_as_advanced(ASSAY_CUBLAS_INCLUDE_DIRECTORY ASSAY_CUBLAS_LIBRARY ASSAY_CUBLASLT_LIBRARY)
  if(ASSAY_CUBLAS_INCLUDE_DIRECTORY AND ASSAY_CUBLAS_LIBRARY AND ASSAY_CUBLASLT_LIBRARY)
    set(links "${ASSAY_CUBLAS_LIBRARY}" "${ASSAY_CUBLASLT_LIBRARY}")
    set(includes "${ASSAY_CUBLAS_INCLUDE_DIRECTORY}")
  else()
    set(message "cuBLAS was not found; set CUDA_PATH to its folder, or install NVIDIA's package libcublas-dev")
  endif()
endmacro()

macro(_assay_find_cudnn)
  find_path(ASSAY_CUDNN_INCLUDE_DIRECTORY cudnn_graph.h HINTS ENV CUDNN_PATH ${ASSAY_CUDA_PLACES})
  find_library(ASSAY_CUDNN_LIBRARY cudnn HINTS ENV CUDNN_PATH ${ASSAY_CUDA_PLACES})
  mark_as_advanced(ASSAY_CUDNN_INCLUDE_DIRECTORY ASSAY_CUDNN_LIBRARY)
  if(ASSAY_CUDNN_INCLUDE_DIRECTORY AND ASSAY_CUDNN_LIBRARY)
    set(links "${ASSAY_CUDNN_LIBRARY}")
    set(includes "${ASSAY_CUDNN_INCLUDE_DIRECTORY}")
  else()
    set(message "cuDNN 9 was not found; set CUDNN_PATH to its folder, or install NVIDIA's package libcudnn9-dev-cuda-13")
  endif()
endmacro()

macro(_assay_find_hip)
  find_path(ASSAY_HIP_INCLUDE_DIRECTORY hip/hip_runtime_api.h ${ASSAY_ROCM_PLACES})
  find_library(ASSAY_HIP_LIBRARY amdhip64 ${ASSAY_ROCM_PLACES})
  mark_as_advanced(ASSAY_HIP_INCLUDE_DIRECTORY ASSAY_HIP_LIBRARY)
  if(ASSAY_HIP_INCLUDE_DIRECTORY AND ASSAY_HIP_LIBRARY)
    set(links "${ASSAY_HIP_LIBRARY}")
    set(includes "${ASSAY_HIP_INCLUDE_DIRECTORY}")
    set(definitions __HIP_PLATFORM_AMD__)
  else()
    _assay_missing("HIP" libamdhip64-dev)
  endif()
endmacro()

macro(_assay_find_rocblas)
  find_path(ASSAY_ROCBLAS_INCLUDE_DIRECTORY rocblas/rocblas.h ${ASSAY_ROCM_PLACES})
  find_library(ASSAY_ROCBLAS_LIBRARY rocblas ${ASSAY_ROCM_PLACES})
  mark_as_advanced(ASSAY_ROCBLAS_INCLUDE_DIRECTORY ASSAY_ROCBLAS_LIBRARY)
  if(ASSAY_ROCBLAS_INCLUDE_DIRECTORY AND ASSAY_ROCBLAS_LIBRARY)
    set(links "${ASSAY_ROCBLAS_LIBRARY}")
    set(includes "${ASSAY_ROCBLAS_INCLUDE_DIRECTORY}")
    set(definitions __HIP_PLATFORM_AMD__)
  else()
    set(message "rocBLAS was not found; set ROCM_PATH to ROCm's folder, or install AMD's package rocblas-dev")
  endif()
endmacro()

macro(_assay_find_miopen)
  find_path(ASSAY_MIOPEN_INCLUDE_DIRECTORY miopen/miopen.h ${ASSAY_ROCM_PLACES})
  find_library(ASSAY_MIOPEN_LIBRARY MIOpen ${ASSAY_ROCM_PLACES})
  mark_as_advanced(ASSAY_MIOPEN_INCLUDE_DIRECTORY ASSAY_MIOPEN_LIBRARY)
  if(ASSAY_MIOPEN_INCLUDE_DIRECTORY AND ASSAY_MIOPEN_LIBRARY)
    set(links "${ASSAY_MIOPEN_LIBRARY}")
    set(includes "${ASSAY_MIOPEN_INCLUDE_DIRECTORY}")
    set(definitions __HIP_PLATFORM_AMD__)
  else()
    set(message "MIOpen was not found; set ROCM_PATH to ROCm's folder, or install AMD's package miopen-hip-dev")
  endif()
endmacro()

macro(_assay_find_openblas)
  find_package(OpenBLAS CONFIG QUIET)
  if(TARGET OpenBLAS::OpenBLAS)
    set(links OpenBLAS::OpenBLAS)
  elseif(OpenBLAS_FOUND)
    set(links "${OpenBLAS_LIBRARIES}")
    set(includes "${OpenBLAS_INCLUDE_DIRS}")
  else()
    find_library(ASSAY_OPENBLAS_LIBRARY openblas)
    find_path(ASSAY_OPENBLAS_INCLUDE_DIRECTORY openblas_config.h PATH_SUFFIXES openblas openblas-pthread)
    mark_as_advanced(ASSAY_OPENBLAS_LIBRARY ASSAY_OPENBLAS_INCLUDE_DIRECTORY)
    if(ASSAY_OPENBLAS_LIBRARY AND ASSAY_OPENBLAS_INCLUDE_DIRECTORY)
      set(links "${ASSAY_OPENBLAS_LIBRARY}")
      set(includes "${ASSAY_OPENBLAS_INCLUDE_DIRECTORY}")
    else()
      _assay_missing("OpenBLAS" libopenblas-dev)
    endif()
  endif()
endmacro()

macro(_assay_find_onednn)
  # Not by its package configuration: Debian's stops the build unless the OpenCL headers are there, which we do not need.
  if(TARGET DNNL::dnnl)
    set(links DNNL::dnnl)
  else()
    find_library(ASSAY_ONEDNN_LIBRARY dnnl)
    find_path(ASSAY_ONEDNN_INCLUDE_DIRECTORY oneapi/dnnl/dnnl.hpp)
    mark_as_advanced(ASSAY_ONEDNN_LIBRARY ASSAY_ONEDNN_INCLUDE_DIRECTORY)
    if(ASSAY_ONEDNN_LIBRARY AND ASSAY_ONEDNN_INCLUDE_DIRECTORY)
      set(links "${ASSAY_ONEDNN_LIBRARY}")
      set(includes "${ASSAY_ONEDNN_INCLUDE_DIRECTORY}")
    else()
      _assay_missing("oneDNN" libdnnl-dev)
    endif()
  endif()
endmacro()

macro(_assay_find_eigen)
  find_package(Eigen3 CONFIG QUIET)
  if(TARGET Eigen3::Eigen)
    set(links Eigen3::Eigen)
  else()
    _assay_missing("Eigen" libeigen3-dev)
  endif()
endmacro()

macro(_assay_find_json)
  find_package(nlohmann_json CONFIG QUIET)
  if(TARGET nlohmann_json::nlohmann_json)
    set(links nlohmann_json::nlohmann_json)
  else()
    _assay_missing("JSON for Modern C++ (nlohmann_json)" nlohmann-json3-dev)
  endif()
endmacro()

# SHA-256.
macro(_assay_find_openssl)
  find_package(OpenSSL QUIET COMPONENTS Crypto)
  if(TARGET OpenSSL::Crypto)
    set(links OpenSSL::Crypto)
  else()
    _assay_missing("OpenSSL" libssl-dev)
  endif()
endmacro()

macro(_assay_find_sqlite)
  find_package(SQLite3 QUIET)
  if(TARGET SQLite::SQLite3)
    set(links SQLite::SQLite3)
  else()
    _assay_missing("SQLite 3" libsqlite3-dev)
  endif()
endmacro()

macro(_assay_find_postgresql)
  find_library(ASSAY_POSTGRESQL_LIBRARY pq)
  find_path(ASSAY_POSTGRESQL_INCLUDE_DIRECTORY libpq-fe.h PATH_SUFFIXES postgresql pgsql)
  mark_as_advanced(ASSAY_POSTGRESQL_LIBRARY ASSAY_POSTGRESQL_INCLUDE_DIRECTORY)
  if(ASSAY_POSTGRESQL_LIBRARY AND ASSAY_POSTGRESQL_INCLUDE_DIRECTORY)
    set(links "${ASSAY_POSTGRESQL_LIBRARY}")
    set(includes "${ASSAY_POSTGRESQL_INCLUDE_DIRECTORY}")
  else()
    _assay_missing("PostgreSQL's client library (libpq)" libpq-dev)
  endif()
endmacro()

# Distributions. Headers alone.
macro(_assay_find_boost_math)
  find_path(ASSAY_BOOST_INCLUDE_DIRECTORY boost/math/distributions.hpp)
  mark_as_advanced(ASSAY_BOOST_INCLUDE_DIRECTORY)
  if(ASSAY_BOOST_INCLUDE_DIRECTORY)
    set(includes "${ASSAY_BOOST_INCLUDE_DIRECTORY}")
  else()
    _assay_missing("Boost.Math" libboost-dev)
  endif()
endmacro()

# The C interface: MPI has no other since MPI 3.0.
macro(_assay_find_mpi)
  set(MPI_CXX_SKIP_MPICXX ON)
  find_package(MPI QUIET COMPONENTS CXX)
  if(TARGET MPI::MPI_CXX)
    set(links MPI::MPI_CXX)
  else()
    _assay_missing("MPI" "libopenmpi-dev openmpi-bin")
  endif()
endmacro()

macro(_assay_find_gloo)
  find_library(ASSAY_GLOO_LIBRARY gloo)
  find_path(ASSAY_GLOO_INCLUDE_DIRECTORY gloo/context.h)
  mark_as_advanced(ASSAY_GLOO_LIBRARY ASSAY_GLOO_INCLUDE_DIRECTORY)
  if(ASSAY_GLOO_LIBRARY AND ASSAY_GLOO_INCLUDE_DIRECTORY)
    set(links "${ASSAY_GLOO_LIBRARY}")
    set(includes "${ASSAY_GLOO_INCLUDE_DIRECTORY}")
  else()
    _assay_missing("Gloo" libgloo-dev)
  endif()
endmacro()

# NCCL and the CUDA runtime, of which nccl.h speaks.
macro(_assay_find_nccl)
  set(cuda_places HINTS ENV NCCL_ROOT ENV CUDA_PATH ENV CUDA_HOME /usr/local/cuda)
  find_path(ASSAY_NCCL_INCLUDE_DIRECTORY nccl.h ${cuda_places} PATH_SUFFIXES include)
  find_library(ASSAY_NCCL_LIBRARY nccl ${cuda_places} PATH_SUFFIXES lib lib64)
  find_path(ASSAY_CUDA_RUNTIME_INCLUDE_DIRECTORY cuda_runtime_api.h ${cuda_places} PATH_SUFFIXES include)
  find_library(ASSAY_CUDA_RUNTIME_LIBRARY cudart ${cuda_places} PATH_SUFFIXES lib lib64)
  mark_as_advanced(ASSAY_NCCL_INCLUDE_DIRECTORY ASSAY_NCCL_LIBRARY ASSAY_CUDA_RUNTIME_INCLUDE_DIRECTORY ASSAY_CUDA_RUNTIME_LIBRARY)
  if(ASSAY_NCCL_INCLUDE_DIRECTORY AND ASSAY_NCCL_LIBRARY AND ASSAY_CUDA_RUNTIME_INCLUDE_DIRECTORY AND ASSAY_CUDA_RUNTIME_LIBRARY)
    set(links "${ASSAY_NCCL_LIBRARY}" "${ASSAY_CUDA_RUNTIME_LIBRARY}")
    set(includes "${ASSAY_NCCL_INCLUDE_DIRECTORY}" "${ASSAY_CUDA_RUNTIME_INCLUDE_DIRECTORY}")
  else()
    set(message "NCCL with the CUDA runtime was not found; set NCCL_ROOT and CUDA_PATH to their folders, or install NVIDIA's packages libnccl-dev and cuda-cudart-dev")
  endif()
endmacro()

# RCCL has NCCL's interface; the same headers of ours serve both.
macro(_assay_find_rccl)
  set(rocm_places HINTS ENV ROCM_PATH /opt/rocm)
  find_path(ASSAY_RCCL_INCLUDE_DIRECTORY NAMES rccl/rccl.h ${rocm_places} PATH_SUFFIXES include)
  find_library(ASSAY_RCCL_LIBRARY rccl ${rocm_places} PATH_SUFFIXES lib)
  find_path(ASSAY_HIP_INCLUDE_DIRECTORY hip/hip_runtime_api.h ${rocm_places} PATH_SUFFIXES include)
  find_library(ASSAY_HIP_LIBRARY amdhip64 ${rocm_places} PATH_SUFFIXES lib)
  mark_as_advanced(ASSAY_RCCL_INCLUDE_DIRECTORY ASSAY_RCCL_LIBRARY ASSAY_HIP_INCLUDE_DIRECTORY ASSAY_HIP_LIBRARY)
  if(ASSAY_RCCL_INCLUDE_DIRECTORY AND ASSAY_RCCL_LIBRARY AND ASSAY_HIP_INCLUDE_DIRECTORY AND ASSAY_HIP_LIBRARY)
    set(links "${ASSAY_RCCL_LIBRARY}" "${ASSAY_HIP_LIBRARY}")
    set(includes "${ASSAY_RCCL_INCLUDE_DIRECTORY}" "${ASSAY_HIP_INCLUDE_DIRECTORY}")
    set(definitions __HIP_PLATFORM_AMD__)
  else()
    _assay_missing("RCCL with HIP" "librccl-dev libamdhip64-dev")
  endif()
endmacro()

macro(_assay_find_catch2)
  find_package(Catch2 CONFIG QUIET)
  if(TARGET Catch2::Catch2)
    set(links Catch2::Catch2)
  else()
    _assay_missing("Catch2 (2.13 or 3)" catch2)
  endif()
endmacro()

macro(_assay_find_gtest)
  find_package(GTest CONFIG QUIET)
  if(TARGET GTest::gmock)
    set(links GTest::gmock GTest::gtest)
  else()
    _assay_missing("GoogleTest with GoogleMock" libgmock-dev)
  endif()
endmacro()

function(assay_find_component name)
  set(links "")
  set(includes "")
  set(definitions "")
  set(message "")
  if(NOT name IN_LIST ASSAY_COMPONENTS)
    string(REPLACE ";" ", " known "${ASSAY_COMPONENTS}")
    set(message "assay has no component '${name}'; it has: ${known}")
  elseif(NOT TARGET assay::${name})
    cmake_language(CALL _assay_find_${name})
    if(NOT message)
      if(CMAKE_FIND_PACKAGE_TARGETS_GLOBAL)
        add_library(assay::${name} INTERFACE IMPORTED GLOBAL)
      else()
        add_library(assay::${name} INTERFACE IMPORTED)
      endif()
      target_link_libraries(assay::${name} INTERFACE assay::assay ${links})
      target_include_directories(assay::${name} SYSTEM INTERFACE ${includes})
      target_compile_definitions(assay::${name} INTERFACE ${definitions})
    endif()
  endif()
  if(message)
    set(assay_${name}_FOUND FALSE PARENT_SCOPE)
  else()
    set(assay_${name}_FOUND TRUE PARENT_SCOPE)
  endif()
  set(assay_${name}_MESSAGE "${message}" PARENT_SCOPE)
endfunction()
