#pragma once

#include <string_view>

#include "assay/backends/cuda.hpp"
#include "assay/validators/operation_suite.hpp"
#include "suites/library.hpp"

namespace assay_program {

/// The first device, opened when its cases are to run; before, and where there is none, why not.
[[nodiscard]] assay::Result<assay::Cuda>& cuda_device();

// Cases that run on the device, compiled by nvcc, one source each to keep compilation short.
void add_cuda_gemm(assay::Suite& suite, const assay::Cuda& device, const SuiteOptions& options);
#if defined(ASSAY_HAS_CUBLAS)
[[nodiscard]] assay::Result<void> add_cublas_gemm(assay::Suite& suite, const assay::Cuda& device,
                                                  const SuiteOptions& options);
[[nodiscard]] assay::Result<void> add_cublaslt_gemm(assay::Suite& suite, const assay::Cuda& device,
                                                    const SuiteOptions& options);
#endif

/// Adds the cases of Assay's own kernel of an operation on the device, in whose memory all is done. Units that the build
/// writes have them, from cuda_operations.hpp, compiled by nvcc.
template <class Op>
void add_on_cuda(assay::Suite& suite, const assay::Cuda& device, const assay::OperationSuiteOptions& options);

/// Whether a library of NVIDIA's, "cublaslt" or "cudnn", has kernels of an operation.
template <class Op>
[[nodiscard]] bool has_on_cuda(std::string_view library);

/// Adds their cases. Errors: those of opening the library on the device.
template <class Op>
[[nodiscard]] assay::Result<void> add_of_cuda_library(assay::Suite& suite, std::string_view library,
                                                      const assay::Cuda& device,
                                                      const assay::OperationSuiteOptions& options);

}  // namespace assay_program
