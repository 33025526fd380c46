#pragma once

#include <utility>

#include "assay/profile/profile_gemm.hpp"
#include "assay/validators/gemm_suite.hpp"
#include "assay/validators/relations/check_relation.hpp"
#include "assay/validators/relations/gemm_relations.hpp"
#include "suites/library.hpp"

namespace assay_program {

/// The default suite of a subject, or the one case on the user's own matrices; or the subject itself, to be profiled.
template <class Op, assay::ParallelBackend W>
void add_gemm_cases(assay::Suite& suite, W worker, assay::GemmSubject<Op> subject, const SuiteOptions& options) {
  if (options.kernels != nullptr)
    options.kernels->push_back({Op::formats(), [worker = std::move(worker), subject = std::move(subject)] {
                                  return assay::profile_gemm<Op>(worker, subject);
                                }});
  else if (options.relations) {
    if constexpr (assay::backend_runs_on_host<W>)  // where relations are judged
      assay::add_relation_cases<assay::GemmOperation<Op>>(suite, std::move(worker),
                                                          assay::relation_subject<Op>(std::move(subject)),
                                                          {{assay::element_format<typename Op::FormatA>()}, {}});
  } else if (options.matrices)
    assay::add_gemm_case<Op>(suite, std::move(worker), std::move(subject), options.matrices, options.gemm.check);
  else
    assay::add_gemm_cases<Op>(suite, std::move(worker), std::move(subject), options.gemm);
}

}  // namespace assay_program
