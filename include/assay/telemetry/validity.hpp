#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "assay/telemetry/recording.hpp"

namespace assay::inline v0 {

/// What a recording must have before anything is said of it.
struct ValidityOptions {
  std::vector<std::string> devices;    ///< ids that must be there; empty: all that the recording names
  std::vector<Quantity> quantities;    ///< that each of them must have told throughout
  double longest_gap_seconds = 3;      ///< between values of one sensor, and at the edges
  double longest_seldom_seconds = 60;  ///< the same for sensors that are read seldom
};

/// One reason why a recording decides nothing. Codes are stable: no_device, device_missing, device_lost,
/// begin_not_covered, end_not_covered, gap, no_sensor, no_value, counter_reset, time_backward.
struct Invalidity {
  std::string code;    ///< one of those above
  std::string device;  ///< the id; may be empty
  std::string text;    ///< a sentence, with what to do
};

/// Whether a recording may be judged.
struct Validity {
  std::vector<Invalidity> reasons;  ///< in the order of devices

  /// Nothing stands against it.
  [[nodiscard]] bool valid() const noexcept { return reasons.empty(); }
  /// Whether one of the reasons has the code.
  [[nodiscard]] bool has(std::string_view code) const {
    for (const Invalidity& reason : reasons)
      if (reason.code == code) return true;
    return false;
  }
  /// The codes, each once, joined by ','.
  [[nodiscard]] std::string codes() const;
  /// The first reason's sentence, and how many more there are; empty where valid.
  [[nodiscard]] std::string text() const;
};

/// The gate before every verdict: every device is present to the end, both edges of the window from `begin` to `end`
/// nanoseconds are covered, no sensor was silent for longer than allowed, no counter was set back. O(readings).
[[nodiscard]] Validity check_validity(const Recording& recording, const ValidityOptions& options, std::int64_t begin,
                                      std::int64_t end);

/// The same over the whole recording.
[[nodiscard]] inline Validity check_validity(const Recording& recording, const ValidityOptions& options = {}) {
  return check_validity(recording, options, recording.begin_nanoseconds, recording.end_nanoseconds);
}

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/telemetry/validity.ipp"
#endif
