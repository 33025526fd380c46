#pragma once

#include <type_traits>

#include "assay/backends/host.hpp"
#include "assay/core/outcome.hpp"
#include "assay/kernels/all_operations.hpp"
#include "assay/kernels/operation.hpp"
#include "assay/suite/case.hpp"

namespace assay::inline v0 {

template <Operation Op>
struct OperationSubject;
struct OperationCheckOptions;
struct OperationSuiteOptions;
struct SuiteCoverage;

namespace detail {

/// Whether what validates the operation with such a worker is in `assay::compiled`, so that this unit only calls it.
template <class Op, class W>
inline constexpr bool compiled_on_host =
#if defined(ASSAY_COMPILED)
    std::is_same_v<W, Host>&& AllOperations::has<Op>;
#else
    false;
#endif

/// What `assay::compiled` has of an operation. Declared here for everybody, defined in operation_on_host_definition.hpp
/// for that library.
template <Operation Op>
struct OperationOnHost {
  [[nodiscard]] static Outcome check(Host& worker, const OperationSubject<Op>& subject,
                                     const typename Op::Problem& problem, const OperationData& data,
                                     const OperationCheckOptions& options, const CaseContext& context);
  static void add_cases(Suite& suite, Host worker, OperationSubject<Op> subject, const OperationSuiteOptions& options);
  [[nodiscard]] static OperationSubject<Op> portable(Host backend);
  [[nodiscard]] static SuiteCoverage coverage(const ElementFormat& format);
};

}  // namespace detail

}  // namespace assay::inline v0
