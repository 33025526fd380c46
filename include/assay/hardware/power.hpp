#pragma once

#include <string>
#include <vector>

#include "assay/core/outcome.hpp"
#include "assay/telemetry/recording.hpp"

namespace assay::inline v0 {

/// What sustained power is held to.
struct PowerOptions {
  /// Of the chip, in watts (its TDP). 0: not known, and the enforced limit alone is the target, which is told.
  double specification_watts = 0;
  double tolerance = 0.05;       ///< of the target, to both sides
  double required_share = 0.95;  ///< of windows that are within it
  double ramp_seconds = 30;      ///< from the recording's beginning, when the load began
  double window_seconds = 10;    ///< over which power is averaged: long beside the counter's own steps
  double least_seconds = 30;     ///< after the ramp
  /// Between values of a sensor: see `ValidityOptions`.
  double longest_gap_seconds = 3;
  std::vector<std::string> related;  ///< ids of devices that are the same thing in other sources
};

/// Whether a device under full load takes the power that it was sold with, from a recording of that load.
///
/// Power is what the energy counter grew by over a moving window, never a peak, and never the gauge's samples. The
/// target is min(enforced limit, specification); at least `required_share` of the windows after the ramp must be within
/// `tolerance` of it. `fail` says how far and which throttle reasons went with it. `skipped` where the enforced limit is
/// lower than the specification by more than the tolerance: somebody chose so. `unsupported` where the device counts no
/// energy. `inconclusive`, with codes in the label "reason_codes": those of `check_validity`, and device_missing,
/// no_limit, too_short, limit_changed, energy_disagrees (counter and gauge differ by more than 20 %).
///
/// O(readings). Precondition: lengths of time and tolerances are above 0, shares at most 1.
[[nodiscard]] Outcome judge_power(const Recording& recording, const std::string& device,
                                  const PowerOptions& options = {});

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/hardware/power.ipp"
#endif
