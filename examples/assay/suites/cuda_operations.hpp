#pragma once

#include "suites/cuda_device.hpp"
#if defined(ASSAY_HAS_CUBLAS)
#include "assay/adapters/cublas/linear.hpp"
#endif
#if defined(ASSAY_HAS_CUDNN)
#include "assay/adapters/cudnn/attention.hpp"
#include "assay/adapters/cudnn/convolution.hpp"
#include "assay/adapters/cudnn/normalization.hpp"
#include "assay/adapters/cudnn/softmax.hpp"
#endif

namespace assay_program {

template <class Op>
void add_on_cuda(assay::Suite& suite, const assay::Cuda& device, const assay::OperationSuiteOptions& options) {
  assay::add_operation_cases<Op>(suite, device, assay::portable_operation_subject<Op>(device), options);
}

template <class Op>
bool has_on_cuda([[maybe_unused]] std::string_view library) {
#if defined(ASSAY_HAS_CUBLAS)
  if (library == "cublaslt") return assay::kernel<assay::CublasLt, Op>::available;
#endif
#if defined(ASSAY_HAS_CUDNN)
  if (library == "cudnn") return assay::kernel<assay::Cudnn, Op>::available;
#endif
  return false;
}

/// Of a library that is opened once an operation.
template <class Library, class Op>
[[nodiscard]] assay::Result<void> add_of_library(assay::Suite& suite, const assay::Cuda& device,
                                                 const assay::OperationSuiteOptions& options) {
  if constexpr (assay::kernel<Library, Op>::available) {
    auto library = Library::open(device);
    if (!library) return library.propagate();
    assay::add_operation_cases<Op>(suite, device, assay::operation_subject<Op>(std::move(library).value()), options);
  }
  return {};
}

template <class Op>
assay::Result<void> add_of_cuda_library([[maybe_unused]] assay::Suite& suite, [[maybe_unused]] std::string_view library,
                                        [[maybe_unused]] const assay::Cuda& device,
                                        [[maybe_unused]] const assay::OperationSuiteOptions& options) {
#if defined(ASSAY_HAS_CUBLAS)
  if (library == "cublaslt") return add_of_library<assay::CublasLt, Op>(suite, device, options);
#endif
#if defined(ASSAY_HAS_CUDNN)
  if (library == "cudnn") return add_of_library<assay::Cudnn, Op>(suite, device, options);
#endif
  return {};
}

}  // namespace assay_program
