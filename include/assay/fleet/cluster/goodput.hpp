#pragma once

#include "assay/core/index.hpp"
#include "assay/core/result.hpp"

namespace assay::inline v0 {

/// A long computation on many devices, any of which ends it until it is restarted from a checkpoint. Times in seconds.
struct ResilientJob {
  Index devices = 1;
  double device_mtbf = 0;  ///< of one device with its share of the host and network
  double checkpoint = 0;   ///< while which nothing is computed
  double restart = 0;      ///< from a failure until work goes on: detection, replacement, loading

  /// Mean time between failures of any of them: failures are independent and exponential.
  [[nodiscard]] double mtbf() const noexcept { return device_mtbf / static_cast<double>(devices); }
};

/// Error `invalid`: a count below 1, times that are negative or not finite, a mean time that is not above 0.
[[nodiscard]] Result<void> check(const ResilientJob& job);

/// The best interval between checkpoints after Daly, "A higher order estimate of the optimum checkpoint interval",
/// 2006: √(2δM) · (1 + √(δ/2M)/3 + δ/2M/9) − δ, M where δ ≥ 2M. Without a cost of checkpoints 0. O(1).
[[nodiscard]] double daly_interval(const ResilientJob& job) noexcept;
/// Young's first-order interval, √(2δM).
[[nodiscard]] double young_interval(const ResilientJob& job) noexcept;

/// The share of time that goes into work that is kept: τ / (M e^(R/M) (e^((τ+δ)/M) − 1)) (Daly, complete model).
/// Precondition: `check(job)`; an interval above 0. O(1).
[[nodiscard]] double goodput(const ResilientJob& job, double interval) noexcept;

/// Bytes a second that storage must take so that checkpoints of `bytes` leave this goodput at the best interval; nothing
/// is enough where failures and restarts alone leave less (infinity). Misuse: a goal outside (0, 1).
[[nodiscard]] double storage_bandwidth_for(const ResilientJob& job, double bytes, double goal);

/// How much longer a step takes since the slowest of n ranks ends it, where times of ranks are normal with a relative
/// standard deviation of sigma: 1 + σ · Φ⁻¹((n − 0.375) / (n + 0.25)) (Blom). O(1).
[[nodiscard]] double straggler_factor(Index ranks, double sigma);

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/fleet/cluster/goodput.ipp"
#endif
