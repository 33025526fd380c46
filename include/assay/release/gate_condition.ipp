#pragma once

#include "assay/release/gate_condition.hpp"

#include <cmath>
#include <limits>

#include "assay/core/config.hpp"

namespace assay::inline v0 {

ASSAY_DETAIL_HEADER_INLINE bool GateCondition::holds(double value) const noexcept {
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

ASSAY_DETAIL_HEADER_INLINE double GateCondition::value_in(const Outcome& outcome) const {
  const double first = outcome.measurement(measurement).value(),
               second = subtracted.empty() ? 0 : outcome.measurement(subtracted).value();
  if (!subtracted.empty() && !(std::isfinite(first) && std::isfinite(second)))
    return std::numeric_limits<double>::quiet_NaN();
  double value = subtracted.empty() ? first : first - second;
  if (absolute) value = std::fabs(value);
  const double rounding = 2 * std::numeric_limits<double>::epsilon() * std::fmax(std::fabs(first), std::fabs(second));
  return !subtracted.empty() && std::fabs(value - limit) <= rounding ? limit : value;
}

namespace detail {

[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE const std::vector<std::pair<std::string, GateComparison>>& gate_comparisons() {
  static const std::vector<std::pair<std::string, GateComparison>> all{
      {"==", GateComparison::equal},     {"!=", GateComparison::not_equal}, {"<", GateComparison::less},
      {"<=", GateComparison::at_most},   {">", GateComparison::greater},    {">=", GateComparison::at_least},
      {"within", GateComparison::within}};
  return all;
}

[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE const std::vector<std::pair<std::string, GateAggregate>>& gate_aggregates() {
  static const std::vector<std::pair<std::string, GateAggregate>> all{
      {"each", GateAggregate::each}, {"max", GateAggregate::max}, {"min", GateAggregate::min},
      {"mean", GateAggregate::mean}, {"sum", GateAggregate::sum}, {"count", GateAggregate::count}};
  return all;
}

template <class Value>
[[nodiscard]] std::vector<std::string> names_in(const std::vector<std::pair<std::string, Value>>& table) {
  std::vector<std::string> names;
  for (const auto& entry : table) names.push_back(entry.first);
  return names;
}

/// A finite number, or a percentage.
[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE bool read_gate_number(std::string_view text, double& number) {
  text = trimmed(text);
  const bool percent = !text.empty() && text.back() == '%';
  if (percent) text = trimmed(text.substr(0, text.size() - 1));
  if (!text.empty() && text.front() == '+') text.remove_prefix(1);
  // 99.9 / 100 is not the double nearest to 0.999, which 999 of 1000 is: the decimal point is moved before rounding.
  const bool move_point = percent && text.find_first_of("eE") == std::string_view::npos;
  const auto value = assay::detail::read_number(move_point ? std::string(text) + "e-2" : std::string(text));
  if (!value || !std::isfinite(*value)) return false;
  number = percent && !move_point ? *value / 100 : *value;
  return true;
}

/// Reads "<= 3", ">= 99 %", "within 12.3 +- 0.5". Returns what is wrong; empty: nothing.
[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE std::string read_gate_limit(std::string_view text, GateCondition& condition) {
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
  if (sign_at == std::string_view::npos)
    return "'within' needs a number and its tolerance, such as 'within 12.3 +- 0.5'";
  const bool read = read_gate_number(limit.substr(0, sign_at), condition.limit) &&
                    read_gate_number(limit.substr(sign_at + length), condition.tolerance);
  return !read                     ? "'" + std::string(trimmed(limit)) + "' is no number with a tolerance"
         : condition.tolerance < 0 ? "the tolerance is below 0"
                                   : "";
}

}  // namespace detail

ASSAY_DETAIL_HEADER_INLINE Result<GateCondition> parse_gate_condition(std::string_view text) {
  const auto refused = [&](const std::string& why) {
    return failure(ErrorKind::malformed, "the condition '" + std::string(text.substr(0, 100)) + "' cannot be read: " +
                                             why + "; give 'no fail', 'pass_rate >= 99 %' or 'max(name) <= 3'");
  };
  GateCondition condition;
  condition.text = std::string(text);
  const std::string_view whole = detail::trimmed(text);
  if (whole == "no fail") return condition;
  if (whole.starts_with("pass_rate")) {
    condition.kind = GateCondition::Kind::pass_rate;
    if (const std::string wrong = detail::read_gate_limit(whole.substr(9), condition); !wrong.empty())
      return refused(wrong);
    if (condition.comparison != GateComparison::at_least && condition.comparison != GateComparison::greater &&
        condition.comparison != GateComparison::equal)
      return refused("a pass rate is demanded with >=, > or ==");
    if (!(condition.limit > 0 && condition.limit <= 1))
      return refused("a pass rate lies above 0 and is at most 1, or 100 %");
    if (condition.comparison == GateComparison::greater && condition.limit == 1)
      return refused("no pass rate is above 1");
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
  if (const std::string wrong = detail::read_gate_limit(whole.substr(close + 1), condition); !wrong.empty())
    return refused(wrong);
  return condition;
}

}  // namespace assay::inline v0
