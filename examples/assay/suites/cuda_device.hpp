#pragma once

#include "assay/backends/cuda.hpp"
#include "assay/validators/operation_suite.hpp"
#include "suites/library.hpp"

namespace assay_program {

/// The first device, opened when its cases are to run; before, and where there is none, why not.
[[nodiscard]] assay::Result<assay::Cuda>& cuda_device();

// Cases that run on the device, compiled by nvcc, one source each to keep compilation short.
void add_cuda_gemm(assay::Suite& suite, const assay::Cuda& device, const SuiteOptions& options);
void add_cuda_rows(assay::Suite& suite, const assay::Cuda& device, const assay::OperationSuiteOptions& options);
void add_cuda_elements(assay::Suite& suite, const assay::Cuda& device, const assay::OperationSuiteOptions& options);
void add_cuda_movement(assay::Suite& suite, const assay::Cuda& device, const assay::OperationSuiteOptions& options);
void add_cuda_products(assay::Suite& suite, const assay::Cuda& device, const assay::OperationSuiteOptions& options);
#if defined(ASSAY_HAS_CUBLAS)
[[nodiscard]] assay::Result<void> add_cublas_gemm(assay::Suite& suite, const assay::Cuda& device,
                                                  const SuiteOptions& options);
#endif

/// Adds the cases of Assay's own kernels of these operations on the device, in whose memory all is done.
template <class... Ops>
void add_on_cuda(assay::Suite& suite, const assay::Cuda& device, const assay::OperationSuiteOptions& options) {
  (assay::add_operation_cases<Ops>(suite, device, assay::portable_operation_subject<Ops>(device), options), ...);
}

}  // namespace assay_program
