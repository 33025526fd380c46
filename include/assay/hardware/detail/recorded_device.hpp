#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "assay/core/outcome.hpp"
#include "assay/telemetry/recording.hpp"
#include "assay/telemetry/validity.hpp"

namespace assay::inline v0::detail {

/// The part of a recording that tells of one thing, which several sources may name: a processor is a chip of hwmon, a
/// zone of RAPL and a package of cores. All its sensors stand at the device 0. Empty where the first id is not there.
[[nodiscard]] std::optional<Recording> recorded_device(const Recording& recording, const std::vector<std::string>& ids);

/// The values of a sensor within a window, with their times in seconds since the recording's beginning.
struct WindowValues {
  std::vector<double> times, values;
};
[[nodiscard]] WindowValues values_within(const Recording& recording, std::size_t sensor, std::int64_t begin,
                                         std::int64_t end);

/// 0 for none.
[[nodiscard]] double median_of(std::vector<double> values);
[[nodiscard]] double mean_value(const std::vector<double>& values);
/// Standard deviation / mean; infinite where the mean is not above 0.
[[nodiscard]] double coefficient_of_variation(const std::vector<double>& values);
/// Of the least-squares line, in units a second; 0 for fewer than two times.
[[nodiscard]] double slope_of(const WindowValues& values);

/// At most so many points of a sensor's whole course, for charts.
[[nodiscard]] Series course_of(const Recording& recording, std::size_t sensor, std::size_t most = 1000);

/// An outcome that decides nothing, for what the gate found.
void set_inconclusive(Outcome& outcome, const Validity& validity);

}  // namespace assay::inline v0::detail

#if !defined(ASSAY_COMPILED)
#include "assay/hardware/detail/recorded_device.ipp"
#endif
