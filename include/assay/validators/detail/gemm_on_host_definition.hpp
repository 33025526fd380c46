#pragma once

#include <memory>
#include <utility>

#include "assay/validators/detail/gemm_on_host.hpp"
#include "assay/validators/gemm_suite.hpp"

namespace assay::inline v0::detail {

template <class Op>
Outcome GemmOnHost<Op>::check(Host& worker, const GemmSubject<Op>& subject, const GemmProblem& problem,
                              const GemmData& data, const GemmCheckOptions& options, const CaseContext& context) {
  return check_gemm_on<Op>(worker, subject, problem, data, options, context);
}

template <class Op>
Outcome GemmOnHost<Op>::check_residual(Host& worker, const GemmSubject<Op>& subject, const GemmProblem& problem,
                                       const GemmData& data, const GemmCheckOptions& options,
                                       const CaseContext& context, unsigned vectors) {
  return check_gemm_residual_on<Op>(worker, subject, problem, data, options, context, vectors);
}

template <class Op>
Outcome GemmOnHost<Op>::check_sampled(Host& worker, const GemmSubject<Op>& subject, const GemmProblem& problem,
                                      const GemmData& data, const GemmCheckOptions& options, const CaseContext& context,
                                      Index samples) {
  return check_gemm_sampled_on<Op>(worker, subject, problem, data, options, context, samples);
}

template <class Op>
void GemmOnHost<Op>::add_cases(Suite& suite, Host worker, GemmSubject<Op> subject, const GemmSuiteOptions& options) {
  add_gemm_cases_on<Op>(suite, std::move(worker), std::move(subject), options);
}

template <class Op>
void GemmOnHost<Op>::add_case(Suite& suite, Host worker, GemmSubject<Op> subject,
                              std::shared_ptr<const GemmMatrices> matrices, const GemmCheckOptions& check) {
  add_gemm_case_on<Op>(suite, std::move(worker), std::move(subject), std::move(matrices), check);
}

template <class Op>
GemmSubject<Op> GemmOnHost<Op>::portable(Host backend) {
  return portable_gemm_subject_on<Op>(std::move(backend));
}

}  // namespace assay::inline v0::detail
