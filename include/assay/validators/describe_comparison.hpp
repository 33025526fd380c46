#pragma once

#include <string>

#include "assay/compare/comparison.hpp"
#include "assay/core/outcome.hpp"
#include "assay/core/printed_number.hpp"
#include "assay/tolerance/aggregate.hpp"

namespace assay::inline v0 {

/// What a comparison cannot know of its case.
struct ComparisonContext {
  Index rows_per_batch = 0;        ///< rows of one matrix of a batch; 0: no batches
  bool judge_misrounding = false;  ///< the data suit MisroundingTolerance
  /// Completes "undetermined, because …".
  std::string undetermined_because = "an intermediate sum may overflow in one order and not in another";
};

namespace detail {

inline std::string ratio_text(double value) {
  return printed_number(value);
}

Table worst_elements(const Comparison& comparison);

}  // namespace detail

/// Puts a comparison into an outcome: verdict and reason, measurements, first findings, the worst elements and a heat
/// map where something is refuted. The verdict is `fail` with violations or a refuted aggregate, `inconclusive` if some
/// elements are undetermined, `pass` else; an empty output passes, having nothing to compute.
void describe(const Comparison& comparison, const ComparisonContext& context, Outcome& outcome);

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/validators/describe_comparison.ipp"
#endif
