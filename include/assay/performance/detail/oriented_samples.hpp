#pragma once

#include <cmath>
#include <span>
#include <string>
#include <vector>

#include "assay/performance/direction.hpp"
#include "assay/statistics/order_statistics.hpp"

namespace assay::inline v0::detail {

/// Samples turned so that worse is more and a shift is a relative change.
struct OrientedSamples {
  std::vector<double> baseline;
  std::vector<double> candidate;
  bool logarithmic = true;
  Direction direction = Direction::lower_is_better;

  [[nodiscard]] double worsening_of(double shift) const {
    if (!logarithmic) return shift;
    return direction == Direction::lower_is_better ? std::expm1(shift) : -std::expm1(-shift);
  }
  [[nodiscard]] double shift_of(double worsening) const {
    if (!logarithmic) return worsening;
    return direction == Direction::lower_is_better ? std::log1p(worsening) : -std::log1p(-worsening);
  }
};

[[nodiscard]] inline bool all_positive(std::span<const double> samples) noexcept {
  for (const double sample : samples)
    if (sample <= 0) return false;
  return true;
}

/// Why nothing can be said of these samples; empty if something can.
[[nodiscard]] inline std::string why_unfit(std::span<const double> baseline, std::span<const double> candidate) {
  for (const auto& [samples, side] : {std::pair{baseline, "baseline"}, std::pair{candidate, "candidate"}}) {
    if (samples.empty()) return std::string("the ") + side + " has no samples: measure it";
    std::size_t unfit = 0;
    for (const double& sample : samples) unfit += are_samples({&sample, 1}) ? 0 : 1;
    if (unfit > 0)
      return std::to_string(unfit) + " of " + std::to_string(samples.size()) + " samples of the " + side +
             " are no finite numbers up to 1e150: measure again, or leave out runs that failed";
  }
  if (!(all_positive(baseline) && all_positive(candidate)) && median(baseline) == 0)
    return "the median of the baseline is 0, of which no change is a share: compare another quantity, or add a constant";
  return {};
}

/// Precondition: `why_unfit` had nothing to say. O(n).
[[nodiscard]] inline OrientedSamples orient(std::span<const double> baseline, std::span<const double> candidate, Direction direction) {
  OrientedSamples samples;
  samples.direction = direction;
  samples.logarithmic = all_positive(baseline) && all_positive(candidate);
  const double sign = direction == Direction::lower_is_better ? 1 : -1;
  const double scale = samples.logarithmic ? 1 : std::abs(median(baseline));
  const auto turned = [&](std::span<const double> values) {
    std::vector<double> result;
    result.reserve(values.size());
    for (const double value : values) result.push_back(sign * (samples.logarithmic ? std::log(value) : value / scale));
    return result;
  };
  samples.baseline = turned(baseline);
  samples.candidate = turned(candidate);
  return samples;
}

}  // namespace assay::inline v0::detail
