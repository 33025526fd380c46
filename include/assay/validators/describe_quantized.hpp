#pragma once

#include <algorithm>
#include <string>

#include "assay/core/outcome.hpp"
#include "assay/core/printed_number.hpp"
#include "assay/kernels/quantize/judgment.hpp"

namespace assay::inline v0 {

/// Turns a judgment into verdict, reason, findings, counts and a table. An outcome of nothing but undefined blocks is
/// `inconclusive`.
void describe(const QuantizeProblem& problem, const QuantizeJudgment& judgment, Outcome& outcome);

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/validators/describe_quantized.ipp"
#endif
