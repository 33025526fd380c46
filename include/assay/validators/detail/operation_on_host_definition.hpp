#pragma once

#include <utility>

#include "assay/validators/detail/operation_on_host.hpp"
#include "assay/validators/operation_subject.hpp"
#include "assay/validators/operation_suite.hpp"

namespace assay::inline v0::detail {

template <Operation Op>
Outcome OperationOnHost<Op>::check(Host& worker, const OperationSubject<Op>& subject,
                                   const typename Op::Problem& problem, const OperationData& data,
                                   const OperationCheckOptions& options, const CaseContext& context) {
  return check_operation_on<Op>(worker, subject, problem, data, options, context);
}

template <Operation Op>
void OperationOnHost<Op>::add_cases(Suite& suite, Host worker, OperationSubject<Op> subject,
                                    const OperationSuiteOptions& options) {
  add_operation_cases_on<Op>(suite, std::move(worker), std::move(subject), options);
}

template <Operation Op>
OperationSubject<Op> OperationOnHost<Op>::portable(Host backend) {
  return portable_operation_subject_on<Op>(std::move(backend));
}

template <Operation Op>
SuiteCoverage OperationOnHost<Op>::coverage(const ElementFormat& format) {
  return suite_coverage<Op>(format);
}

}  // namespace assay::inline v0::detail
