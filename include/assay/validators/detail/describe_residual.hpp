#pragma once

#include <string>
#include <vector>

#include "assay/core/outcome.hpp"
#include "assay/kernels/gemm/residual.hpp"
#include "assay/validators/describe_comparison.hpp"

namespace assay::inline v0::detail {

/// "row 3", or "row 3 of batch 1".
[[nodiscard]] inline std::string place_of_row(Index row, const GemmProblem& problem) {
  return "row " + std::to_string(row % problem.m) +
         (problem.batch > 1 ? " of batch " + std::to_string(row / problem.m) : "");
}

/// What residuals say of all rows.
struct ResidualSummary {
  std::vector<Index> refuted;
  Index worst = -1;  ///< of the refuted; the first among equals
  double worst_ratio = 0;
  std::size_t inputs_not_finite = 0, may_overflow = 0, no_bound = 0;
  double visible_median = 0, visible_worst = 0;  ///< a single element that is further off is seen
  double visible_ulps = 0;                       ///< the median in units of the row's spacing of numbers

  [[nodiscard]] std::size_t undecided() const { return inputs_not_finite + may_overflow + no_bound; }

  [[nodiscard]] static ResidualSummary of(const GemmResidual& residual);
};

/// Verdict, reason, findings and measurements of residuals. Returns the row that fails worst, batches flattened, or −1.
[[nodiscard]] Index describe_residual(const GemmResidual& residual, const GemmResidualOptions& options,
                                      const GemmProblem& problem, Outcome& outcome);

}  // namespace assay::inline v0::detail

#if !defined(ASSAY_COMPILED)
#include "assay/validators/detail/describe_residual.ipp"
#endif
