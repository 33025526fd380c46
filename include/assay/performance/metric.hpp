#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "assay/core/result.hpp"
#include "assay/performance/direction.hpp"
#include "assay/report/text.hpp"
#include "assay/statistics/samples.hpp"

namespace assay::inline v0 {

/// One quantity of one subject, measured several times. All samples are kept, in the order in which they were taken:
/// what decides whether two versions differ is how values scatter, and a mean has forgotten that.
struct Metric {
  std::string name;        ///< "seconds", "items_per_second", …
  std::string unit = "s";  ///< SI, or the field's own
  Direction direction = Direction::lower_is_better;
  std::vector<double> samples;
  std::string note;  ///< what a reader must know before trusting it ("never got steady: …"); empty if nothing
};

/// Nothing if a metric can be kept and compared. Error `invalid`: no name, no samples, or a sample that is no number (a
/// repetition that failed has no sample: leave it out) or beyond `largest_sample`. O(samples).
[[nodiscard]] Result<void> check_metric(const Metric& metric);

/// Seconds in a unit of time ("s", "ms", "us", "µs", "ns", "min", …); nothing for other units.
[[nodiscard]] std::optional<double> seconds_per(std::string_view unit) noexcept;

/// Which way a metric of that unit gets better, where the unit tells (`unit_meaning`); nothing where it does not.
[[nodiscard]] std::optional<Direction> direction_of_unit(std::string_view unit);

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/performance/metric.ipp"
#endif
