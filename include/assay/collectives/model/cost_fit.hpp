#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "assay/collectives/model/alpha_beta_fit.hpp"
#include "assay/collectives/model/cost.hpp"

namespace assay::inline v0 {

/// What an operation took on equal ranks, by an algorithm that is known or presumed.
struct TimedCollective {
  CostModel model = CostModel::ring;
  CollectiveOperation operation = CollectiveOperation::all_reduce;
  double bytes = 0;  ///< of the operation, as nccl-tests counts them
  Index ranks = 2;
  double seconds = 0;  ///< that it took
};

/// α, β and γ of equal ranks, with what an operation costs before its first message.
struct CostFit {
  FittedNumber launch_seconds;             ///< before the first message
  FittedNumber latency_seconds;            ///< α, of a message
  FittedNumber seconds_per_byte;           ///< β, of the link
  FittedNumber seconds_per_byte_reduced;   ///< γ; 0 where nothing tells it from β
  double largest_relative_error = 0;       ///< of the model, over the points
  double median_relative_error = 0;        ///< |predicted − measured| ÷ measured
  double least_bytes = 0, most_bytes = 0;  ///< what it was fitted to
  Index most_ranks = 0;                    ///< of the measurements

  /// The topology of so many ranks that it describes.
  [[nodiscard]] Topology topology(Index ranks) const;
};

namespace detail {

/// What multiplies α, β, launch and γ: where points cannot tell two apart, the first of them takes it all
/// (`relative_least_squares`).
[[nodiscard]] std::array<double, 4> terms_of(const Cost& cost);

}  // namespace detail

/// Fits launch, α, β and γ to what was measured, none of them negative, by relative errors, with bounded outliers. α is
/// told from the launch by points with other numbers of messages (other ranks, operations), γ from β by operations that
/// do not reduce; where there are none of the kind, α and β take it all: predictions for more ranks are then rather too
/// long than too short. O(resamples · points).
///
/// Errors: `invalid` for points without duration, not finite, of one rank, or whose operation the algorithm does not
/// have; fewer than three.
[[nodiscard]] Result<CostFit> fit_cost(std::span<const TimedCollective> points, const FitOptions& options = {});

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/collectives/model/cost_fit.ipp"
#endif
