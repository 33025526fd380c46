#pragma once

#include "assay/validators/detail/describe_residual.hpp"

#include <algorithm>
#include <cmath>

#include "assay/core/config.hpp"

namespace assay::inline v0::detail {

ASSAY_DETAIL_HEADER_INLINE ResidualSummary ResidualSummary::of(const GemmResidual& residual) {
  ResidualSummary summary;
  std::vector<double> visible, ulps;
  for (std::size_t index = 0; index < residual.rows.size(); ++index) {
    const GemmRowResidual& row = residual.rows[index];
    summary.inputs_not_finite += row.state == GemmRowState::inputs_not_finite;
    summary.may_overflow += row.state == GemmRowState::may_overflow;
    summary.no_bound += row.state == GemmRowState::no_bound;
    if (row.state != GemmRowState::judged) continue;
    if (row.refuted()) {
      if (summary.worst < 0 || row.ratio() > summary.worst_ratio) summary.worst = static_cast<Index>(index);
      summary.refuted.push_back(static_cast<Index>(index));
    }
    summary.worst_ratio = std::max(summary.worst_ratio, row.ratio());
    if (!std::isfinite(row.residual)) continue;
    visible.push_back(row.visible_error());
    ulps.push_back(row.spacing > 0 ? row.visible_error() / row.spacing : 0);
  }
  const auto median = [](std::vector<double>& values) {
    if (values.empty()) return 0.0;
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
  };
  if (!visible.empty()) summary.visible_worst = *std::max_element(visible.begin(), visible.end());
  summary.visible_median = median(visible);
  summary.visible_ulps = median(ulps);
  return summary;
}

/// How the allowance came about and what it hides, line by line.
ASSAY_DETAIL_HEADER_INLINE void explain_residual(const GemmResidual& residual, const ResidualSummary& summary,
                                                 const GemmResidualOptions& options, const GemmProblem& problem,
                                                 Outcome& outcome) {
  auto& lines = outcome.derivation;
  const bool certain = residual.factor < residual.confidence;
  lines.push_back("residual of row i: |C·x - alpha·A·(B·x) - beta·C0·x| for " + std::to_string(residual.vectors) +
                  " vectors x of +1 and -1; a correct kernel leaves at most c·(|E_i| + |h_i|) and the check's own "
                  "rounding, with 2-norms over the row");
  lines.push_back(certain ? "c = sqrt(n) = " + number(residual.factor) + ": holds for certain (Cauchy-Schwarz)"
                          : "c = lambda = sqrt(2 ln(2·" +
                                number(static_cast<double>(residual.rows.size()) * residual.vectors) + "/" +
                                number(options.risk) + ")) = " + number(residual.factor) +
                                ": the signs are drawn independently of the errors, whatever these are (Hoeffding); "
                                "less than sqrt(n) = " +
                                number(std::sqrt(static_cast<double>(problem.n))));
  if (residual.confidence * options.independent_growth < HUGE_VAL)
    lines.push_back(
        "in place of c·g stands lambda·sqrt(L)·u = " + number(residual.confidence * options.independent_growth) +
        " where that is less: the data's rounding errors are independent over the whole row");
  lines.push_back("|E_i| <= (g + 3u)·(|alpha|·sum_k |a_ik|·|B_k| + |beta|·|C0_i|) + sqrt(n)·underflow (Minkowski); " +
                  std::string(options.output_is_exact
                                  ? "h_i = 0: outputs are integers that the format holds, so every residual must be 0"
                                  : "h_ij is half a unit in the last place of C_ij"));
  lines.push_back(std::string("own sums: ") + (residual.compensated ? "compensated float64" : "float64") +
                  ", relative error " + number(residual.arithmetic_error) +
                  (options.output_is_exact ? "; exact where sums of magnitudes stay below 2^53" : ""));
  if (!std::isfinite(summary.visible_median) || residual.rows.empty()) return;
  if (summary.visible_worst == 0)
    lines.push_back("sees for certain: a single element that is off by anything");
  else
    lines.push_back("sees for certain: a single element off by more than " + number(summary.visible_median) +
                    " in half of the rows, by more than " + number(summary.visible_worst) + " in every judged row (" +
                    number(summary.visible_ulps) + " units in the last place in the median)");
  lines.push_back("may miss: errors of several elements of a row that cancel, with a chance of 2^-" +
                  std::to_string(residual.vectors) + " = " +
                  number(std::ldexp(1.0, -static_cast<int>(residual.vectors))) +
                  " for two that are equal and opposite");
  lines.push_back(
      "cannot see: errors below a row's allowance, such as outputs rounded the wrong way; rows that are not finite");
}

ASSAY_DETAIL_HEADER_INLINE Index describe_residual(const GemmResidual& residual, const GemmResidualOptions& options,
                                                   const GemmProblem& problem, Outcome& outcome) {
  const ResidualSummary summary = ResidualSummary::of(residual);
  const std::size_t rows = residual.rows.size();
  const std::string of_rows = " of " + std::to_string(rows) + " rows";
  outcome.labels["check"] = "residual";
  explain_residual(residual, summary, options, problem, outcome);
  outcome.measure("output_elements", static_cast<double>(rows) * static_cast<double>(problem.n), "elements");
  outcome.measure("rows", static_cast<double>(rows), "rows");
  outcome.measure("failing_rows", static_cast<double>(summary.refuted.size()), "rows");
  outcome.measure("undecided_rows", static_cast<double>(summary.undecided()), "rows");
  outcome.measure("residual_vectors", residual.vectors, "vectors");
  if (summary.undecided() < rows || rows == 0) {
    outcome.measure(measurement::worst_error_ratio, summary.worst_ratio);
    outcome.measure("visible_error", summary.visible_median);
    outcome.measure("visible_error_worst_row", summary.visible_worst);
    outcome.measure("visible_error_ulps", summary.visible_ulps, "ulp");
  }

  outcome.verdict = Verdict::pass;
  outcome.reason = rows == 0 || problem.n == 0
                       ? "residual check only: the output is empty"
                       : "residual check only: all" + of_rows.substr(3) + " agree with A·(B·x) for " +
                             std::to_string(residual.vectors) + " random vectors; " +
                             (summary.visible_worst == 0
                                  ? std::string("no single element can be off, but errors in several may cancel")
                                  : "a single element off by less than " + number(summary.visible_median) +
                                        " may go unseen in half of the rows, by less than " +
                                        number(summary.visible_worst) + " in the others");
  if (summary.undecided() > 0) {
    outcome.verdict = Verdict::inconclusive;
    outcome.reason =
        "residual check only: undecided: " + std::to_string(summary.undecided()) + of_rows + " cannot be judged";
    const char* separator = ": ";
    const auto because = [&](std::size_t count, const char* why) {
      if (count == 0) return;
      outcome.reason += separator + std::to_string(count) + why;
      separator = ", ";
    };
    because(summary.inputs_not_finite, " because A, B or the old C hold NaN or infinities");
    because(summary.may_overflow, " because outputs are not finite and sums may rightly overflow");
    because(summary.no_bound, " because so long a sum may be wrong altogether in its accumulator");
  }
  if (summary.worst < 0) return -1;
  const GemmRowResidual& worst = residual.rows[static_cast<std::size_t>(summary.worst)];
  outcome.verdict = Verdict::fail;
  outcome.reason = "residual check: " + std::to_string(summary.refuted.size()) + of_rows +
                   " disagree with A·(B·x), the worst " + place_of_row(summary.worst, problem) +
                   (std::isfinite(worst.residual)
                        ? ": off by " + number(worst.residual) + " where " + number(worst.allowance) + " is allowed"
                        : ": an output is not finite, though no sum can overflow");
  if (summary.refuted.size() == 1) return summary.worst;
  outcome.diagnosis.push_back("failing rows: " + (summary.refuted.size() == rows
                                                      ? "all"
                                                      : place_of_row(summary.refuted.front(), problem) + " to " +
                                                            place_of_row(summary.refuted.back(), problem) + ", " +
                                                            std::to_string(summary.refuted.size()) + of_rows));
  return summary.worst;
}

}  // namespace assay::inline v0::detail
