#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "assay/core/heat_map.hpp"
#include "assay/validators/failures/failing_output.hpp"

namespace assay::inline v0::detail {

/// Where the violations of an output lie.
struct FailurePlaces {
  std::vector<std::pair<Index, Index>> ranges;  ///< of each dimension: the first and the last index with violations
  std::vector<double> filled;  ///< of each dimension: the share of the indices within that range that have any
  double density = 0;          ///< violations / elements of the box that encloses them
  Index lane_period = 0;       ///< columns with violations are equal modulo this (4 to 64); 0: no such pattern
  Index lane = 0;
  std::vector<std::string> sentences;
};

/// How large they are, beside what was expected.
struct FailureSizes {
  std::size_t violations = 0, elements = 0;
  std::size_t finite = 0;  ///< of the violations: both values are numbers
  std::size_t inward = 0;  ///< nearer to 0
  std::size_t zeros = 0;   ///< 0 where it is not due
  std::size_t nan_unexpected = 0, nan_missing = 0, infinity_unexpected = 0, infinity_missing = 0;
  std::size_t subnormal_expected = 0;  ///< expected values, or results, below the smallest normal number
  double median_relative = 0;          ///< |error| / |expected|, of finite violations
  double largest_relative = 0;
  double rms_over_scale = 0;   ///< root mean square error / root mean square expected, over all finite elements
  bool near_overflow = false;  ///< expected values beyond a hundredth of the largest finite number
};

/// Whether a right kernel may give that element, though the tolerance that was chosen may be stricter than its rounding
/// errors.
[[nodiscard]] inline bool allowed_by_rounding(const FailingOutput& output, std::size_t element) {
  const ExpectedElement expected{output.expected[element], static_cast<double>(output.error[element])};
  return operand_interval(output.format, ChosenTolerance{}, expected).contains(output.actual[element]);
}
/// Whether that is true of all elements that are wrong by a tolerance of somebody's own choice.
[[nodiscard]] inline bool only_tolerance_refutes(const FailingOutput& output) {
  if (output.tolerance.kind == ChosenTolerance::Kind::derived) return false;
  for (std::size_t element = 0; element < output.size(); ++element)
    if (output.violated[element] && !allowed_by_rounding(output, element)) return false;
  return output.violations > 0;
}

/// Of values in whatever order, which are put into another: no mean of two. Precondition: not empty.
[[nodiscard]] inline double upper_median(std::vector<double>& values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

[[nodiscard]] FailureSizes failure_sizes(const FailingOutput& output);

[[nodiscard]] FailurePlaces failure_places(const FailingOutput& output);

/// Shares of violated elements, at most 64 × 32 cells.
[[nodiscard]] HeatMap violation_map(const FailingOutput& output);

}  // namespace assay::inline v0::detail

#if !defined(ASSAY_COMPILED)
#include "assay/diagnosis/detail/evidence.ipp"
#endif
