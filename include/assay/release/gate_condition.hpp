#pragma once

#include <cmath>
#include <cstddef>
#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "assay/core/detail/printed_number.hpp"
#include "assay/core/nearest_name.hpp"
#include "assay/core/outcome.hpp"
#include "assay/core/result.hpp"

namespace assay::inline v0 {

/// How a gate makes one number of the measurements of many outcomes; `each`: it does not, every one must keep the limit.
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
  [[nodiscard]] bool holds(double value) const noexcept {
    if (std::isnan(value)) return false;
    switch (comparison) {
      case GateComparison::equal: return value == limit;
      case GateComparison::not_equal: return value != limit;
      case GateComparison::less: return value < limit;
      case GateComparison::at_most: return value <= limit;
      case GateComparison::greater: return value > limit;
      case GateComparison::at_least: return value >= limit;
      case GateComparison::within: return value >= limit - tolerance && value <= limit + tolerance;
    }
    return false;
  }

  /// Whether an outcome alone can break it, so that what breaks it can be named, and waived, by id.
  [[nodiscard]] bool of_each() const noexcept {
    if (kind != Kind::measurement || aggregate == GateAggregate::each) return true;
    const bool above = comparison == GateComparison::less || comparison == GateComparison::at_most;
    const bool below = comparison == GateComparison::greater || comparison == GateComparison::at_least;
    return (aggregate == GateAggregate::max && above) || (aggregate == GateAggregate::min && below);
  }

  /// Whether the outcome carries what is asked for.
  [[nodiscard]] bool measured_in(const Outcome& outcome) const {
    return outcome.measurement(measurement).has_value() && (subtracted.empty() || outcome.measurement(subtracted).has_value());
  }

  /// The number that is asked for. A difference that is off the limit by no more than the rounding of decimal numbers is the limit:
  /// 12.8 − 12.3 is 0.5. One of which a part is not finite is NaN. Precondition: `measured_in(outcome)`.
  [[nodiscard]] double value_in(const Outcome& outcome) const {
    const double first = outcome.measurement(measurement).value(),
                 second = subtracted.empty() ? 0 : outcome.measurement(subtracted).value();
    if (!subtracted.empty() && !(std::isfinite(first) && std::isfinite(second))) return std::numeric_limits<double>::quiet_NaN();
    double value = subtracted.empty() ? first : first - second;
    if (absolute) value = std::fabs(value);
    const double rounding = 2 * std::numeric_limits<double>::epsilon() * std::fmax(std::fabs(first), std::fabs(second));
    return !subtracted.empty() && std::fabs(value - limit) <= rounding ? limit : value;
  }
};

namespace detail {

[[nodiscard]] inline const std::vector<std::pair<std::string, GateComparison>>& gate_comparisons() {
  static const std::vector<std::pair<std::string, GateComparison>> all{
      {"==", GateComparison::equal},  {"!=", GateComparison::not_equal}, {"<", GateComparison::less},       {"<=", GateComparison::at_most},
      {">", GateComparison::greater}, {">=", GateComparison::at_least},  {"within", GateComparison::within}};
  return all;
}
[[nodiscard]] inline const std::vector<std::pair<std::string, GateAggregate>>& gate_aggregates() {
  static const std::vector<std::pair<std::string, GateAggregate>> all{{"each", GateAggregate::each}, {"max", GateAggregate::max},
                                                                      {"min", GateAggregate::min},   {"mean", GateAggregate::mean},
                                                                      {"sum", GateAggregate::sum},   {"count", GateAggregate::count}};
  return all;
}

template <class Value>
[[nodiscard]] std::vector<std::string> names_in(const std::vector<std::pair<std::string, Value>>& table) {
  std::vector<std::string> names;
  for (const auto& entry : table) names.push_back(entry.first);
  return names;
}

[[nodiscard]] inline std::string_view trimmed(std::string_view text) noexcept {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  return text;
}

/// A finite number, or a percentage.
[[nodiscard]] inline bool read_gate_number(std::string_view text, double& number) {
  text = trimmed(text);
  const bool percent = !text.empty() && text.back() == '%';
  if (percent) text = trimmed(text.substr(0, text.size() - 1));
  if (!text.empty() && text.front() == '+') text.remove_prefix(1);
  const auto value = assay::detail::read_number(text);
  if (!value || !std::isfinite(*value)) return false;
  number = percent ? *value / 100 : *value;
  return true;
}

/// Reads "<= 3", ">= 99 %", "within 12.3 +- 0.5". Returns what is wrong; empty: nothing.
[[nodiscard]] inline std::string read_gate_limit(std::string_view text, GateCondition& condition) {
  text = trimmed(text);
  const std::size_t end = text.find_first_not_of("<>=!");
  std::string_view sign = text.substr(0, end == std::string_view::npos ? text.size() : end);
  if (sign.empty()) sign = text.substr(0, text.find(' '));
  bool known = false;
  for (const auto& [name, comparison] : gate_comparisons())
    if (name == sign) {
      condition.comparison = comparison;
      known = true;
    }
  if (!known) return unknown_name("comparison", sign, names_in(gate_comparisons()));
  const std::string_view limit = text.substr(sign.size());
  if (condition.comparison != GateComparison::within)
    return read_gate_number(limit, condition.limit) ? "" : "'" + std::string(trimmed(limit)) + "' is no number";
  std::size_t sign_at = limit.find("+-"), length = 2;
  if (sign_at == std::string_view::npos) sign_at = limit.find("±");
  if (sign_at == std::string_view::npos) return "'within' needs a number and its tolerance, such as 'within 12.3 +- 0.5'";
  const bool read =
      read_gate_number(limit.substr(0, sign_at), condition.limit) && read_gate_number(limit.substr(sign_at + length), condition.tolerance);
  return !read                     ? "'" + std::string(trimmed(limit)) + "' is no number with a tolerance"
         : condition.tolerance < 0 ? "the tolerance is below 0"
                                   : "";
}

}  // namespace detail

/// Reads a condition:
/// - "no fail": no outcome selected is bad;
/// - "pass_rate >= 99.9 %": the share of right outcomes among those that are right or bad;
/// - "each(perplexity) within 12.3 +- 0.5", "max(regression_pct) <= 3", "sum(uncorrectable_ecc) == 0", "each(|loss - loss_reference|) < 0.02":
///   measurements by name; `-` with blanks around it subtracts another measurement of the same outcome, bars take the absolute value.
/// Errors: `malformed`, with what was expected and the nearest name.
[[nodiscard]] inline Result<GateCondition> parse_gate_condition(std::string_view text) {
  const auto refused = [&](const std::string& why) {
    return failure(ErrorKind::malformed, "the condition '" + std::string(text.substr(0, 100)) + "' cannot be read: " + why +
                                             "; give 'no fail', 'pass_rate >= 99 %' or 'max(name) <= 3'");
  };
  GateCondition condition;
  condition.text = std::string(text);
  const std::string_view whole = detail::trimmed(text);
  if (whole == "no fail") return condition;
  if (whole.starts_with("pass_rate")) {
    condition.kind = GateCondition::Kind::pass_rate;
    if (const std::string wrong = detail::read_gate_limit(whole.substr(9), condition); !wrong.empty()) return refused(wrong);
    if (condition.comparison != GateComparison::at_least && condition.comparison != GateComparison::greater &&
        condition.comparison != GateComparison::equal)
      return refused("a pass rate is demanded with >=, > or ==");
    if (!(condition.limit > 0 && condition.limit <= 1)) return refused("a pass rate lies above 0 and is at most 1, or 100 %");
    if (condition.comparison == GateComparison::greater && condition.limit == 1) return refused("no pass rate is above 1");
    return condition;
  }
  const std::size_t open = whole.find('('), close = whole.rfind(')');
  if (open == std::string_view::npos || close == std::string_view::npos || close < open)
    return refused("a measurement stands in parentheses behind each, max, min, mean, sum or count");
  condition.kind = GateCondition::Kind::measurement;
  const std::string_view name = detail::trimmed(whole.substr(0, open));
  bool known = false;
  for (const auto& [aggregate_name, aggregate] : detail::gate_aggregates())
    if (aggregate_name == name) {
      condition.aggregate = aggregate;
      known = true;
    }
  if (!known) return refused(unknown_name("aggregate", name, detail::names_in(detail::gate_aggregates())));
  std::string_view inner = detail::trimmed(whole.substr(open + 1, close - open - 1));
  if (inner.size() >= 2 && inner.front() == '|' && inner.back() == '|') {
    condition.absolute = true;
    inner = detail::trimmed(inner.substr(1, inner.size() - 2));
  }
  if (const std::size_t minus = inner.find(" - "); minus != std::string_view::npos) {
    condition.subtracted = std::string(detail::trimmed(inner.substr(minus + 3)));
    inner = detail::trimmed(inner.substr(0, minus));
    if (condition.subtracted.empty()) return refused("what is subtracted has no name");
  }
  condition.measurement = std::string(inner);
  if (inner.empty() || (condition.measurement + condition.subtracted).find('|') != std::string::npos)
    return refused("the measurement has no name that can be read");
  if (const std::string wrong = detail::read_gate_limit(whole.substr(close + 1), condition); !wrong.empty()) return refused(wrong);
  return condition;
}

}  // namespace assay::inline v0
