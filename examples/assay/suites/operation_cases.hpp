#pragma once

#include "assay/faults/operation_kernels.hpp"
#include "suites/fault_families.hpp"
#include "suites/operation_families.hpp"
#include "suites/plugins.hpp"
#if defined(ASSAY_HAS_ONEDNN)
#include "assay/adapters/onednn/onednn.hpp"
#endif
#if defined(ASSAY_HAS_EIGEN)
#include "assay/adapters/eigen/eigen.hpp"
#endif

namespace assay_program {

/// Whether the adapter of a library has a kernel of the operation.
template <class B, class Op>
inline constexpr bool has_kernel_of = [] {
  if constexpr (requires { assay::kernel<B, Op>::available; })
    return assay::kernel<B, Op>::available;
  else
    return true;
}();

template <class B, class Op>
void add_library_cases(assay::Suite& suite, const assay::OperationSuiteOptions& options) {
  if constexpr (has_kernel_of<B, Op>)  // which runs in threads of the library's own
    assay::add_operation_cases<Op>(suite, host_worker(), assay::operation_subject<Op>(B(1)), options);
}

template <class Op>
void add_cases_of(assay::Suite& suite, std::string_view backend, const assay::OperationSuiteOptions& options) {
  add_plugin_cases<Op>(suite, backend, options);
  if (backend == "host")
    assay::add_operation_cases<Op>(suite, host_worker(), assay::portable_operation_subject<Op>(host_worker()), options);
#if defined(ASSAY_HAS_ONEDNN)
  if (backend == "onednn") add_library_cases<assay::OneDnn, Op>(suite, options);
#endif
#if defined(ASSAY_HAS_EIGEN)
  if (backend == "eigen") add_library_cases<assay::EigenLibrary, Op>(suite, options);
#endif
}

template <class Op>
void add_kernels_of(assay::FaultCorpus& corpus) {
  assay::add_operation_kernels<Op>(corpus, host_worker());
}

}  // namespace assay_program
