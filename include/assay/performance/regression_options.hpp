#pragma once

#include <cstddef>
#include <cstdint>

namespace assay::inline v0 {

/// Which interval decides.
enum class ShiftMethod {
  hodges_lehmann,   ///< exact for small samples, whatever their distribution
  bootstrap_median  ///< percentile interval of the ratio of medians; too short below ten runs a side
};

/// What counts as a regression.
struct RegressionOptions {
  double minimum_effect = 0.01;  ///< δ: the worsening that does not matter yet, relative; from 0 to below 1
  double confidence =
      0.95;  ///< of the two-sided interval: a change of δ itself is wrongly accused in a share (1 − confidence)/2
  ShiftMethod method = ShiftMethod::hodges_lehmann;
  double variance_inflation =
      1;  ///< above 1 if neighboring values depend on one another (`assay::variance_inflation`); for `hodges_lehmann`
  std::size_t resamples = 2000;  ///< of the bootstrap
  std::uint64_t seed = 1;        ///< of the bootstrap
};

}  // namespace assay::inline v0
