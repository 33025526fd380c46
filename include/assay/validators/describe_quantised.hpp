#pragma once

#include <algorithm>
#include <string>

#include "assay/core/detail/printed_number.hpp"
#include "assay/core/outcome.hpp"
#include "assay/kernels/quantise/judgement.hpp"

namespace assay::inline v0 {

/// Turns a judgement into verdict, reason, findings, counts and a table. An outcome of nothing but undefined blocks is
/// `inconclusive`.
void describe(const QuantiseProblem& problem, const QuantiseJudgement& judgement, Outcome& outcome);

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/validators/describe_quantised.ipp"
#endif
