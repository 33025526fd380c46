#pragma once

#include <algorithm>
#include <cstddef>
#include <map>
#include <vector>

namespace assay::inline v0::detail {

/// A table as overall + row + column + class + residual, each effect a median of what the others leave: up to nearly
/// half of a row may be spoilt and the fit stays. Missing cells are NaN. Source: Tukey, "Exploratory Data Analysis",
/// 1977, chapter 11; classes of cells as a third way.
struct MedianPolish {
  double overall = 0;
  std::vector<double> rows, columns;
  std::map<int, double> classes;
  std::vector<double> residuals;
};

[[nodiscard]] inline double median_of_values(std::vector<double>& values) {
  if (values.empty()) return 0;
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return values.size() % 2 != 0 ? *middle : (*middle + *std::max_element(values.begin(), middle)) / 2;
}

/// `table` is n × n, row-major, `class_of` of the same form. O(n²) a sweep.
[[nodiscard]] MedianPolish median_polish(std::vector<double> table, std::size_t n, const std::vector<int>& class_of,
                                         int sweeps = 8);

}  // namespace assay::inline v0::detail

#if !defined(ASSAY_COMPILED)
#include "assay/collectives/stragglers/detail/median_polish.ipp"
#endif
