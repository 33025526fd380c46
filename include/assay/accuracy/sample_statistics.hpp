#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include "assay/core/misuse.hpp"

namespace assay::inline v0 {

/// What a metric keeps of each sample. Sums over samples give the metric of any set of them, so that one pass over the
/// data serves the score, its interval and every resample.
struct SampleStatistics {
  std::size_t width = 1;       ///< numbers a sample
  std::vector<double> values;  ///< samples × width

  /// Number of samples.
  [[nodiscard]] std::size_t size() const noexcept { return values.size() / width; }
  /// The numbers of one sample. Precondition: `sample < size()`; not checked.
  [[nodiscard]] std::span<const double> row(std::size_t sample) const noexcept {
    return {values.data() + sample * width, width};
  }
  /// Appends a sample. Misuse: another number of values than `width`.
  void add(std::span<const double> row) {
    expect(row.size() == width, [] { return "SampleStatistics::add() was given a row of another width"; });
    values.insert(values.end(), row.begin(), row.end());
  }
  /// The sums over all samples, in order. O(size · width).
  [[nodiscard]] std::vector<double> sums() const {
    std::vector<double> total(width, 0.0);
    for (std::size_t i = 0; i < size(); ++i)
      for (std::size_t j = 0; j < width; ++j) total[j] += values[i * width + j];
    return total;
  }
};

/// The value of a metric, of sums of `SampleStatistics`.
using MetricOfSums = std::function<double(std::span<const double>)>;

/// The mean of samples that each keep {value, weight}: Σ value / Σ weight; NaN without weight. Accuracy, mean scores,
/// mean losses.
[[nodiscard]] inline double mean_of_sums(std::span<const double> sums) {
  return sums[0] / sums[1];
}

}  // namespace assay::inline v0
