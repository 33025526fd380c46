#pragma once

#include "assay/faults/gemm_kernels.hpp"

namespace assay::inline v0::detail {

template <class Op>
Result<ObservedLaunch> ObservedGemmOnHost<Op>::observe(Host& host, const GemmSubject<Op>& subject,
                                                       const GemmProblem& problem, const GemmData& data) {
  return observe_gemm_on<Op>(host, subject, problem, data);
}

}  // namespace assay::inline v0::detail
