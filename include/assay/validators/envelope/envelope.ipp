#pragma once

#include "assay/validators/envelope/envelope.hpp"

#include <algorithm>
#include <limits>

#include "assay/core/config.hpp"

namespace assay::inline v0 {

namespace detail {

ASSAY_DETAIL_HEADER_INLINE std::string shape_class(const std::string& shape) {
  std::string text;
  for (std::size_t i = 0; i < shape.size();) {
    if (shape[i] < '0' || shape[i] > '9') {
      text += shape[i++];
      continue;
    }
    double number = 0;
    for (; i < shape.size() && shape[i] >= '0' && shape[i] <= '9'; ++i) number = number * 10 + (shape[i] - '0');
    double power = 1;
    while (power < number) power *= 2;
    text += std::to_string(static_cast<long long>(number > 0 ? std::fmin(power, 0x1p62) : 0));
  }
  return text;
}

[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE std::map<std::string, double> envelope_values(const Outcome& outcome) {
  std::map<std::string, double> values;
  const auto take = [&](const char* name, const char* measured, double divisor) {
    if (const auto value = outcome.measurement(measured); value && divisor > 0)
      values[name] = std::fabs(*value) / divisor;
  };
  take("worst_error_ratio", "worst_error_ratio", 1);
  take("relative_mean_square_error", "relative_mean_square_error", 1);
  take("bias", "mean_signed_error", 1);
  take("misrounded_share", "misrounded", outcome.measurement(measurement::elements).value_or(0));
  take("max_ulp_error", "max_ulp_error", 1);
  return values;
}

}  // namespace detail

ASSAY_DETAIL_HEADER_INLINE double conformal_limit(std::vector<double> values, double rate) {
  expect(rate > 0 && rate < 1,
         [&] { return "a rate of " + detail::printed_number(rate) + " was asked for; it must lie between 0 and 1"; });
  const double rank = std::ceil((1 - rate) * static_cast<double>(values.size() + 1) - 1e-9);
  if (rank > static_cast<double>(values.size())) return std::numeric_limits<double>::infinity();
  const auto place = values.begin() + static_cast<std::ptrdiff_t>(rank < 1 ? 0 : rank - 1);
  std::nth_element(values.begin(), place, values.end());
  return *place;
}

ASSAY_DETAIL_HEADER_INLINE Envelope learn_envelope(const std::vector<Outcome>& outcomes, double rate) {
  Envelope envelope;
  envelope.rate = rate;
  std::map<std::string, std::map<std::string, std::vector<double>>> samples;
  for (const Outcome& outcome : outcomes) {
    if (outcome.verdict != Verdict::pass) continue;
    const std::string name = envelope_group(outcome);
    EnvelopeGroup& group = envelope.groups[name];
    ++group.runs;
    group.units.insert(outcome.label("backend"));
    for (const auto& [statistic, value] : detail::envelope_values(outcome)) samples[name][statistic].push_back(value);
  }
  for (auto& [name, group] : envelope.groups)
    for (auto& [statistic, values] : samples[name])
      group.limits[statistic] =
          conformal_limit(std::move(values), rate / static_cast<double>(envelope_statistics.size()));
  return envelope;
}

ASSAY_DETAIL_HEADER_INLINE EnvelopeJudgment judge(const Envelope& envelope, const Outcome& outcome) {
  EnvelopeJudgment judgment;
  const std::string name = envelope_group(outcome);
  const auto group = envelope.groups.find(name);
  if (group == envelope.groups.end()) {
    judgment.finding = "the envelope knows no runs of " + name;
    return judgment;
  }
  const auto text = [](double value) { return detail::printed_number(value, 4); };
  for (const auto& [statistic, value] : detail::envelope_values(outcome)) {
    const auto limit = group->second.limits.find(statistic);
    if (limit == group->second.limits.end() || !std::isfinite(limit->second)) continue;
    judgment.known = true;
    const double excess = value <= limit->second ? (limit->second > 0 ? value / limit->second : 0)
                          : limit->second > 0    ? value / limit->second
                                                 : std::numeric_limits<double>::infinity();
    judgment.excess = std::fmax(judgment.excess, excess);
    if (value <= limit->second) continue;
    judgment.outside = true;
    judgment.finding +=
        (judgment.finding.empty() ? "outside the envelope of " + std::to_string(group->second.runs) + " runs of " +
                                        std::to_string(group->second.units.size()) + " known units: "
                                  : "; ") +
        statistic + " is " + text(value) + ", theirs at most " + text(limit->second);
  }
  if (!judgment.known)
    judgment.finding = "the envelope has " + std::to_string(group->second.runs) + " runs of " + name +
                       "; limits for a rate of " + text(envelope.rate) + " need " +
                       std::to_string(envelope_runs_needed(envelope.rate));
  return judgment;
}

ASSAY_DETAIL_HEADER_INLINE void apply_envelope(const Envelope& envelope, bool required, Outcome& outcome) {
  if (outcome.verdict != Verdict::pass && outcome.verdict != Verdict::fail && outcome.verdict != Verdict::inconclusive)
    return;
  const EnvelopeJudgment judgment = judge(envelope, outcome);
  if (judgment.known) {
    outcome.measure("outside_envelope", judgment.outside ? 1 : 0);
    outcome.measure("envelope_excess", judgment.excess);
  }
  if (!judgment.finding.empty()) outcome.diagnosis.push_back(judgment.finding);
  if (!required || outcome.verdict != Verdict::pass || (judgment.known && !judgment.outside)) return;
  outcome.verdict = Verdict::inconclusive;
  outcome.reason = judgment.finding;
}

}  // namespace assay::inline v0
