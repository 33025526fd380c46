#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "assay/core/outcome.hpp"
#include "assay/report/text.hpp"
#include "assay/statistics/bootstrap.hpp"
#include "assay/statistics/hodges_lehmann.hpp"

namespace assay::inline v0 {

/// What grows with the ranks.
enum class ScalingKind {
  weak,   ///< each rank has as much work, however many there are
  strong  ///< the work is the same; efficiency is the speed-up by the number of ranks
};

/// The name in reports.
[[nodiscard]] constexpr std::string_view name_of(ScalingKind kind) noexcept {
  return kind == ScalingKind::weak ? "weak" : "strong";
}

/// What was measured on so many ranks.
struct ScalingPoint {
  int ranks = 1;
  std::vector<double>
      /// work a second of all ranks together, one value a run (not a step: steps of a run are no independent evidence)
      throughput;
  std::optional<double> baseline{};  ///< the efficiency that this number of ranks had before
};

/// How scaling is measured.
struct ScalingOptions {
  ScalingKind kind = ScalingKind::weak;
  double tolerance = 0.05;        ///< share of the baseline's efficiency that may be lost
  std::optional<double> floor{};  ///< efficiency below which nothing is accepted, whatever the baseline
  double confidence = 0.95;       ///< of each limit
  BootstrapOptions bootstrap{};   ///< its confidence is not used
};

/// E = throughput(N)·N₀/(N·throughput(N₀)), of medians, and its limits, each of the confidence asked for.
struct ScalingEfficiency {
  int ranks = 1;  ///< N
  /// E and its interval.
  double efficiency = 1, lower = 1, upper = 1;
};

/// By the percentile bootstrap of the ratio of medians where either side has ten runs or more; else, where that is too
/// short, by Hodges and Lehmann's exact interval of the difference of logarithms, which is infinite where the runs are
/// too few: three a side give 95 %, two never do. O(resamples · runs). Misuse: no runs, throughputs that are not
/// positive and finite, a confidence outside (0.5, 1).
[[nodiscard]] ScalingEfficiency scaling_efficiency(const ScalingPoint& base, const ScalingPoint& point,
                                                   const ScalingOptions& options = {});

/// Judges how training scales, from the fewest ranks on. A number of ranks is accepted if the lower limit of its
/// efficiency is at least (1 − tolerance)·baseline and the floor, refused if the upper limit is below, else undecided:
/// more runs would tell. Without baseline and floor there is nothing to hold it against: `new_baseline`. Measurements
/// `efficiency.<ranks>` are what a later run takes as its baseline. The outcome's verdict is the worst. Throughputs
/// that are no positive numbers are an error that names the run. Misuse: fewer than two numbers of ranks, one that
/// stands twice or is below 1, a tolerance outside [0, 1).
[[nodiscard]] Outcome check_scaling_efficiency(const std::string& name, std::vector<ScalingPoint> points,
                                               const ScalingOptions& options = {});

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/training/scaling_efficiency.ipp"
#endif
