#pragma once

#include "assay/faults/operation_kernels.hpp"

namespace assay::inline v0::detail {

template <Operation Op>
Result<ObservedLaunch> ObservedOnHost<Op>::observe(Host& host, const OperationSubject<Op>& subject,
                                                   const typename Op::Problem& problem, FillKind kind,
                                                   std::uint64_t seed) {
  return observe_launch_on<Op>(host, subject, problem, kind, seed);
}

}  // namespace assay::inline v0::detail
