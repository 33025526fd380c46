#pragma once

#include "assay/performance/detail/oriented_samples.hpp"

#include "assay/core/config.hpp"

namespace assay::inline v0::detail {

[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE bool all_positive(std::span<const double> samples) noexcept {
  for (const double sample : samples)
    if (sample <= 0) return false;
  return true;
}

ASSAY_DETAIL_HEADER_INLINE std::string why_unfit(std::span<const double> baseline, std::span<const double> candidate) {
  for (const auto& [samples, side] : {std::pair{baseline, "baseline"}, std::pair{candidate, "candidate"}}) {
    if (samples.empty()) return std::string("the ") + side + " has no samples: measure it";
    std::size_t unfit = 0;
    for (const double& sample : samples) unfit += are_samples({&sample, 1}) ? 0 : 1;
    if (unfit > 0)
      return std::to_string(unfit) + " of " + std::to_string(samples.size()) + " samples of the " + side +
             " are no finite numbers up to 1e150: measure again, or leave out runs that failed";
  }
  if (!(all_positive(baseline) && all_positive(candidate)) && median(baseline) == 0)
    return "the median of the baseline is 0, of which no change is a share: compare another quantity, or add a "
           "constant";
  return {};
}

ASSAY_DETAIL_HEADER_INLINE OrientedSamples orient(std::span<const double> baseline, std::span<const double> candidate,
                                                  Direction direction) {
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
