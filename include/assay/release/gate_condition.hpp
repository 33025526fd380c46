#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "assay/core/nearest_name.hpp"
#include "assay/core/outcome.hpp"
#include "assay/core/printed_number.hpp"
#include "assay/core/result.hpp"

namespace assay::inline v0 {

/// How a gate makes one number of the measurements of many outcomes; `each`: it does not, every one must keep the
/// limit.
enum class GateAggregate { each, max, min, mean, sum, count };

/// How a measurement is held against a limit.
enum class GateComparison { equal, not_equal, less, at_most, greater, at_least, within };

/// What a gate demands of the outcomes that it selects.
struct GateCondition {
  /// What is demanded.
  enum class Kind { no_fail, pass_rate, measurement };

  Kind kind = Kind::no_fail;  ///< which demand it is
  GateAggregate aggregate = GateAggregate::each;
  std::string measurement;  ///< name of the measurement that is looked at
  std::string subtracted;   ///< a measurement of the same outcome; empty: none
  bool absolute = false;    ///< the magnitude of the measurement counts
  GateComparison comparison = GateComparison::at_most;
  double limit = 0;              ///< in the unit of the measurement, or a share of 1
  double tolerance = 0;          ///< of `within`
  std::string text = "no fail";  ///< as it stands in the policy

  /// Whether the number keeps the limit. A NaN never does, whatever the comparison.
  [[nodiscard]] bool holds(double value) const noexcept;

  /// Whether an outcome alone can break it, so that what breaks it can be named, and waived, by id.
  [[nodiscard]] bool of_each() const noexcept {
    if (kind != Kind::measurement || aggregate == GateAggregate::each) return true;
    const bool above = comparison == GateComparison::less || comparison == GateComparison::at_most;
    const bool below = comparison == GateComparison::greater || comparison == GateComparison::at_least;
    return (aggregate == GateAggregate::max && above) || (aggregate == GateAggregate::min && below);
  }

  /// Whether the outcome carries what is asked for.
  [[nodiscard]] bool measured_in(const Outcome& outcome) const {
    return outcome.measurement(measurement).has_value() &&
           (subtracted.empty() || outcome.measurement(subtracted).has_value());
  }

  /// The number that is asked for. A difference that is off the limit by no more than the rounding of decimal numbers
  /// is the limit: 12.8 − 12.3 is 0.5. One of which a part is not finite is NaN. Precondition: `measured_in(outcome)`.
  [[nodiscard]] double value_in(const Outcome& outcome) const;
};

namespace detail {

[[nodiscard]] inline std::string_view trimmed(std::string_view text) noexcept {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  return text;
}

}  // namespace detail

/// Reads a condition:
/// - "no fail": no outcome selected is bad;
/// - "pass_rate >= 99.9 %": the share of right outcomes among those that are right or bad;
/// - "each(perplexity) within 12.3 +- 0.5", "max(regression_pct) <= 3", "sum(uncorrectable_ecc) == 0", "each(|loss -
///   loss_reference|) < 0.02": measurements by name; `-` with blanks around it subtracts another measurement of the
///   same outcome, bars take the absolute value. Errors: `malformed`, with what was expected and the nearest name.
[[nodiscard]] Result<GateCondition> parse_gate_condition(std::string_view text);

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/release/gate_condition.ipp"
#endif
