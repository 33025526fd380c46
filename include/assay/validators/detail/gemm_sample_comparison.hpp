#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "assay/compare/compare.hpp"
#include "assay/core/outcome.hpp"
#include "assay/kernels/gemm/sample.hpp"
#include "assay/tolerance/chosen.hpp"
#include "assay/validators/describe_comparison.hpp"

namespace assay::inline v0::detail {

/// Some elements of an output judged one by one, as the full check would.
struct GemmSampleComparison {
  Comparison comparison;              ///< positions are the output's, batches flattened into rows
  std::vector<GemmPosition> failing;  ///< where violations are, as far as the comparison tells places apart
};

template <class Op, ParallelBackend W>
[[nodiscard]] Result<GemmSampleComparison> compare_sample(W& worker, typename W::Stream& stream,
                                                          const GemmProblem& problem,
                                                          const typename Op::Arguments& arguments,
                                                          const StridedView<const typename Op::FormatC, 3>& before,
                                                          const std::vector<GemmPosition>& positions,
                                                          const GemmBound& bound, const ChosenTolerance& tolerance) {
  auto sample = gemm_sample<Op>(worker, stream, arguments, before, positions, bound);
  if (!sample) return sample.propagate();
  auto compared = compare(worker, stream, sample.value().view(), sample.value().expected(), tolerance);
  if (!compared) return compared.propagate();
  GemmSampleComparison judged{std::move(compared).value(), {}};
  Comparison& comparison = judged.comparison;
  for (std::size_t group = 0; group < comparison.row_ratio.size(); ++group) {
    if (!(comparison.row_ratio[group] > 1)) continue;
    const std::size_t first = group * static_cast<std::size_t>(comparison.rows_per_group),
                      last = first + static_cast<std::size_t>(comparison.rows_per_group) - 1;
    judged.failing.push_back(positions[first]);
    if (last > first && last < positions.size()) judged.failing.push_back(positions[last]);
  }
  const auto place = [&](MatrixPosition& at) {
    if (at.row < 0) return;
    const GemmPosition& position = positions[static_cast<std::size_t>(at.row)];
    at = {position.batch * problem.m + position.row, position.column};
  };
  for (Extremum* extremum : {&comparison.max_absolute_error, &comparison.max_relative_error, &comparison.max_ulp_error,
                             &comparison.max_ratio})
    place(extremum->position);
  for (ComparedElement& element : comparison.worst) place(element.position);
  comparison.row_ratio.clear();  // groups and tiles of a sample are nothing in the output
  comparison.tiles = {};
  return judged;
}

/// "rows 3 to 90, columns 0 to 15".
[[nodiscard]] inline std::string extent_of(const std::vector<GemmPosition>& positions) {
  const auto span = [&](const char* what, auto coordinate) {
    const auto [least, most] = std::minmax_element(
        positions.begin(), positions.end(),
        [&](const GemmPosition& a, const GemmPosition& b) { return a.*coordinate < b.*coordinate; });
    const Index first = (*least).*coordinate, last = (*most).*coordinate;
    return first == last ? std::string(what) + " " + std::to_string(first)
                         : std::string(what) + "s " + std::to_string(first) + " to " + std::to_string(last);
  };
  if (positions.empty()) return "none";
  return span("row", &GemmPosition::row) + ", " + span("column", &GemmPosition::column);
}

}  // namespace assay::inline v0::detail
