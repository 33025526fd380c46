# The optional parts of Assay: which headers need which library, and how that library is found.
# Used by the project's own build and, installed beside the package configuration, by find_package(assay COMPONENTS …):
# the consumer decides, at find time, what is there.
#
# assay_find_component(<name>) makes the target assay::<name> if its library is found, and sets in the caller
#   assay_<name>_FOUND    TRUE or FALSE
#   assay_<name>_MESSAGE  if not found: what is missing and the Debian package that has it
# `compiled` is no library of others: it is what of Assay can be compiled once for a program of many units (compiled.cmake).

set(ASSAY_COMPONENTS kokkos cuda_headers cuda cublas cudnn hip rocblas miopen openblas onednn eigen json openssl sqlite postgresql boost_math mpi gloo nccl rccl hwloc catch2 gtest)

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
  "report/(json|sarif|ocp|ocp_reader).hpp=json"
  "fleet/(capacity/(model_config|weight_index)|node/node_files).hpp=json"
  "io/(safetensors|detail/safetensors_header_parser).hpp=json"
  "validators/(minimize/case|envelope/envelope)_file.hpp=json"
  "release/(certification_plan|policy_file|gate_sarif|read_evidence|matrix_file|results_folder|compatibility_json|detail/commented_json).hpp=json"
  "performance/(history_jsonl|import_results|import_tool_json|detail/(history_line|google_benchmark|pytest_benchmark|nvbench)_reader|detail/(json_place|history_line_scanner)).hpp=json"
  "accuracy/(sample|detection)_file.hpp=json"
  "pipeline/recorded_(stages|requests).hpp=json"
  "gpgpu/(kernels/kernel_file|detail/placed_json).hpp=json"
  "performance/(history_sqlite|detail/sqlite_statement).hpp=sqlite"
  "profile/(function_)?profile_file.hpp=json"
  "baselines/(record_form|record_archive|baseline|prune).hpp=json+openssl"
  "baselines/detail/record_reader.hpp=json"
  "baselines/(sha256|detail/(baseline_key|observe_tensor)).hpp=openssl"
  "baselines/sqlite_store.hpp=sqlite"
  "baselines/postgresql_store.hpp=postgresql"
  "suite/mpi_channel.hpp=mpi"
  "telemetry/recording_file.hpp=json"
  "statistics/(distributions|prediction_interval).hpp=boost_math"
  "collectives/measurement/sweep_json.hpp=json"
  "performance/prediction_interval_detector.hpp=boost_math"
  "training/(loss_equivalence|check_convergence_parity).hpp=boost_math"
  "hardware/soak/soak_journal.hpp=json"
  "hardware/hwloc_topology.hpp=hwloc"
  "serving/distribution_test.hpp=boost_math"
  "serving/(aiperf_export|agent_load|tokenizer_file|openai_request|openai_answer|stream_client|event_log|load_run|server_check_options|detail/(answer_stream|stream_loop|told_probabilities)).hpp=json"
  "serving/(server_check|detail/server_checker|detail/server_feature_checker).hpp=json+boost_math"
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

# A library that has no package configuration worth asking: looks for HEADER and LIBRARY (either may be left out) in the usual
# places and in those of HINTS, also below SUFFIXES, and adds them to the caller's `includes` and `links`; where one is missing,
# `message` becomes MISSING. Users may state the places: ASSAY_<name>_INCLUDE_DIRECTORY and ASSAY_<name>_LIBRARY.
function(_assay_find_files name)
  cmake_parse_arguments(PARSE_ARGV 1 files "" "HEADER;LIBRARY;MISSING" "HINTS;SUFFIXES")
  set(directory ASSAY_${name}_INCLUDE_DIRECTORY)
  set(library ASSAY_${name}_LIBRARY)
  if(files_HEADER)
    find_path(${directory} ${files_HEADER} HINTS ${files_HINTS} PATH_SUFFIXES include ${files_SUFFIXES})
    mark_as_advanced(${directory})
  endif()
  if(files_LIBRARY)
    find_library(${library} ${files_LIBRARY} HINTS ${files_HINTS} PATH_SUFFIXES lib lib64 ${files_SUFFIXES})
    mark_as_advanced(${library})
  endif()
  if((files_HEADER AND NOT ${directory}) OR (files_LIBRARY AND NOT ${library}))
    set(message "${files_MISSING}" PARENT_SCOPE)
    return()
  endif()
  if(files_HEADER)
    set(includes ${includes} "${${directory}}" PARENT_SCOPE)
  endif()
  if(files_LIBRARY)
    set(links ${links} "${${library}}" PARENT_SCOPE)
  endif()
endfunction()

set(ASSAY_CUDA_PLACES ENV CUDA_PATH ENV CUDA_HOME /usr/local/cuda)
set(ASSAY_ROCM_PLACES ENV ROCM_PATH /opt/rocm)

set(_assay_components_folder "${CMAKE_CURRENT_LIST_DIR}")

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
  _assay_find_files(CUDA HEADER cuda_fp4.h HINTS ${ASSAY_CUDA_PLACES}
    MISSING "CUDA 12.8 or newer was not found; set CUDA_PATH to its folder, or install NVIDIA's package cuda-cudart-dev")
endmacro()

# The runtime: memory, streams and events. Units that launch kernels are compiled by nvcc besides.
macro(_assay_find_cuda)
  _assay_find_files(CUDA_RUNTIME HEADER cuda_runtime_api.h LIBRARY cudart HINTS ${ASSAY_CUDA_PLACES}
    MISSING "the CUDA runtime was not found; set CUDA_PATH to its folder, or install NVIDIA's package cuda-cudart-dev")
endmacro()

macro(_assay_find_cublas)
  set(cublas_missing "cuBLAS was not found; set CUDA_PATH to its folder, or install NVIDIA's package libcublas-dev")
  _assay_find_files(CUBLAS HEADER cublasLt.h LIBRARY cublas HINTS ${ASSAY_CUDA_PLACES} MISSING "${cublas_missing}")
  _assay_find_files(CUBLASLT LIBRARY cublasLt HINTS ${ASSAY_CUDA_PLACES} MISSING "${cublas_missing}")
endmacro()

macro(_assay_find_cudnn)
  _assay_find_files(CUDNN HEADER cudnn_graph.h LIBRARY cudnn HINTS ENV CUDNN_PATH ${ASSAY_CUDA_PLACES}
    MISSING "cuDNN 9 was not found; set CUDNN_PATH to its folder, or install NVIDIA's package libcudnn9-dev-cuda-13")
endmacro()

macro(_assay_find_hip)
  set(definitions __HIP_PLATFORM_AMD__)
  _assay_find_files(HIP HEADER hip/hip_runtime_api.h LIBRARY amdhip64 HINTS ${ASSAY_ROCM_PLACES}
    MISSING "HIP was not found; on Debian and Ubuntu: apt-get install libamdhip64-dev")
endmacro()

macro(_assay_find_rocblas)
  set(definitions __HIP_PLATFORM_AMD__)
  _assay_find_files(ROCBLAS HEADER rocblas/rocblas.h LIBRARY rocblas HINTS ${ASSAY_ROCM_PLACES}
    MISSING "rocBLAS was not found; set ROCM_PATH to ROCm's folder, or install AMD's package rocblas-dev")
endmacro()

macro(_assay_find_miopen)
  set(definitions __HIP_PLATFORM_AMD__)
  _assay_find_files(MIOPEN HEADER miopen/miopen.h LIBRARY MIOpen HINTS ${ASSAY_ROCM_PLACES}
    MISSING "MIOpen was not found; set ROCM_PATH to ROCm's folder, or install AMD's package miopen-hip-dev")
endmacro()

macro(_assay_find_openblas)
  find_package(OpenBLAS CONFIG QUIET)
  if(TARGET OpenBLAS::OpenBLAS)
    set(links OpenBLAS::OpenBLAS)
  elseif(OpenBLAS_FOUND)
    set(links "${OpenBLAS_LIBRARIES}")
    set(includes "${OpenBLAS_INCLUDE_DIRS}")
  else()
    _assay_find_files(OPENBLAS HEADER openblas_config.h LIBRARY openblas SUFFIXES openblas openblas-pthread
      MISSING "OpenBLAS was not found; on Debian and Ubuntu: apt-get install libopenblas-dev")
  endif()
endmacro()

macro(_assay_find_onednn)
  # Not by its package configuration: Debian's stops the build unless the OpenCL headers are there, which we do not need.
  if(TARGET DNNL::dnnl)
    set(links DNNL::dnnl)
  else()
    _assay_find_files(ONEDNN HEADER oneapi/dnnl/dnnl.hpp LIBRARY dnnl
      MISSING "oneDNN was not found; on Debian and Ubuntu: apt-get install libdnnl-dev")
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
  _assay_find_files(POSTGRESQL HEADER libpq-fe.h LIBRARY pq SUFFIXES postgresql pgsql
    MISSING "PostgreSQL's client library (libpq) was not found; on Debian and Ubuntu: apt-get install libpq-dev")
endmacro()

# Distributions. Headers alone.
macro(_assay_find_boost_math)
  _assay_find_files(BOOST HEADER boost/math/distributions.hpp
    MISSING "Boost.Math was not found; on Debian and Ubuntu: apt-get install libboost-dev")
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
  _assay_find_files(GLOO HEADER gloo/context.h LIBRARY gloo
    MISSING "Gloo was not found; on Debian and Ubuntu: apt-get install libgloo-dev")
endmacro()

# NCCL and the CUDA runtime, of which nccl.h speaks.
macro(_assay_find_nccl)
  set(nccl_missing "NCCL with the CUDA runtime was not found; set NCCL_ROOT and CUDA_PATH to their folders, or install NVIDIA's packages libnccl-dev and cuda-cudart-dev")
  _assay_find_files(NCCL HEADER nccl.h LIBRARY nccl HINTS ENV NCCL_ROOT ${ASSAY_CUDA_PLACES} MISSING "${nccl_missing}")
  _assay_find_files(CUDA_RUNTIME HEADER cuda_runtime_api.h LIBRARY cudart HINTS ENV NCCL_ROOT ${ASSAY_CUDA_PLACES} MISSING "${nccl_missing}")
endmacro()

# RCCL has NCCL's interface; the same headers of ours serve both.
macro(_assay_find_rccl)
  set(definitions __HIP_PLATFORM_AMD__)
  set(rccl_missing "RCCL with HIP was not found; on Debian and Ubuntu: apt-get install librccl-dev libamdhip64-dev")
  _assay_find_files(RCCL HEADER rccl/rccl.h LIBRARY rccl HINTS ${ASSAY_ROCM_PLACES} MISSING "${rccl_missing}")
  _assay_find_files(HIP HEADER hip/hip_runtime_api.h LIBRARY amdhip64 HINTS ${ASSAY_ROCM_PLACES} MISSING "${rccl_missing}")
endmacro()

# Topology: processors, caches, NUMA nodes.
macro(_assay_find_hwloc)
  _assay_find_files(HWLOC HEADER hwloc.h LIBRARY hwloc
    MISSING "hwloc was not found; on Debian and Ubuntu: apt-get install libhwloc-dev")
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
  if(name STREQUAL "compiled")
    include("${_assay_components_folder}/compiled.cmake")
  elseif(NOT name IN_LIST ASSAY_COMPONENTS)
    string(REPLACE ";" ", " known "compiled;${ASSAY_COMPONENTS}")
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

# In a package configuration: finds the components that find_package was asked for. What was required and is not there becomes
# the reason of the failure; what was optional is told.
macro(assay_find_requested_components)
  set(assay_NOT_FOUND_MESSAGE "")
  set(_assay_components "${assay_FIND_COMPONENTS}")
  if("compiled" IN_LIST _assay_components)  # last: it has what the others need
    list(REMOVE_ITEM _assay_components compiled)
    list(APPEND _assay_components compiled)
  endif()
  foreach(_assay_component IN LISTS _assay_components)
    assay_find_component(${_assay_component})
    if(assay_${_assay_component}_FOUND)
      continue()
    elseif(assay_FIND_REQUIRED_${_assay_component})
      set(assay_FOUND FALSE)
      string(APPEND assay_NOT_FOUND_MESSAGE "${assay_${_assay_component}_MESSAGE}\n")
    elseif(NOT assay_FIND_QUIETLY)
      message(STATUS "assay: component ${_assay_component} is left out: ${assay_${_assay_component}_MESSAGE}")
    endif()
  endforeach()
endmacro()
