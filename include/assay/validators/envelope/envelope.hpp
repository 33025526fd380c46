#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "assay/core/detail/printed_number.hpp"
#include "assay/core/misuse.hpp"
#include "assay/core/outcome.hpp"

namespace assay::inline v0 {

/// What an envelope bounds, each from above.
inline constexpr std::array<const char*, 5> envelope_statistics{"worst_error_ratio", "relative_mean_square_error", "bias",
                                                                "misrounded_share", "max_ulp_error"};

/// What is known of one group of cases: operation, formats, class of shapes, and data.
struct EnvelopeGroup {
  std::size_t runs = 0;                  ///< that were learned from
  std::set<std::string> units;           ///< backends that they are of
  std::map<std::string, double> limits;  ///< by statistic; infinite where the runs are too few for the rate
};

/// Where runs of units that are known to be right lie: beside "refuted by the bound", which no right kernel is, "outside of what is known", which a right
/// kernel of another kind may be.
struct Envelope {
  double rate = 0.01;  ///< at most this share of further runs of the known units is outside, all statistics together
  std::map<std::string, EnvelopeGroup> groups;  ///< by operation, formats, class of shapes and data
};

/// How an outcome lies to an envelope.
struct EnvelopeJudgement {
  bool known = false;    ///< the group is, and has at least one limit
  bool outside = false;  ///< farther out than any run that is known to be right
  double excess = 0;     ///< the largest statistic / limit
  std::string finding;   ///< what is outside, or why nothing is known
};

namespace detail {

/// Each number of a shape's name as the next power of two: "m64-n64-k3000" and "m64-n64-k4096" are of one class.
[[nodiscard]] inline std::string shape_class(const std::string& shape) {
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

[[nodiscard]] inline std::map<std::string, double> envelope_values(const Outcome& outcome) {
  std::map<std::string, double> values;
  const auto take = [&](const char* name, const char* measured, double divisor) {
    if (const auto value = outcome.measurement(measured); value && divisor > 0) values[name] = std::fabs(*value) / divisor;
  };
  take("worst_error_ratio", "worst_error_ratio", 1);
  take("relative_mean_square_error", "relative_mean_square_error", 1);
  take("bias", "mean_signed_error", 1);
  take("misrounded_share", "misrounded", outcome.measurement(measurement::elements).value_or(0));
  take("max_ulp_error", "max_ulp_error", 1);
  return values;
}

}  // namespace detail

/// The group of a case: "softmax bf16.bf16 64x1024x1 normal".
[[nodiscard]] inline std::string envelope_group(const Outcome& outcome) {
  return outcome.label("operation") + " " + outcome.label("formats") + " " + detail::shape_class(outcome.label("shape")) + " " +
         outcome.label("data");
}

/// The ⌈(1 − rate)(n + 1)⌉-th smallest of n values; infinite if that is beyond the largest. Of n + 1 exchangeable values the last exceeds it with a probability of at most `rate`, whatever
/// their distribution: Wilks, "Determination of sample sizes for setting tolerance limits", Ann. Math. Statist. 12 (1941); Vovk, Gammerman, Shafer, "Algorithmic Learning in a Random World"
/// (2005), section 2.2. Precondition: 0 < rate < 1.
[[nodiscard]] inline double conformal_limit(std::vector<double> values, double rate) {
  expect(rate > 0 && rate < 1, [&] { return "a rate of " + detail::printed_number(rate) + " was asked for; it must lie between 0 and 1"; });
  const double rank = std::ceil((1 - rate) * static_cast<double>(values.size() + 1) - 1e-9);
  if (rank > static_cast<double>(values.size())) return std::numeric_limits<double>::infinity();
  const auto place = values.begin() + static_cast<std::ptrdiff_t>(rank < 1 ? 0 : rank - 1);
  std::nth_element(values.begin(), place, values.end());
  return *place;
}

/// How many runs of a group a finite limit needs at least, for `learn_envelope`. Precondition: 0 < rate < 1.
[[nodiscard]] inline std::size_t envelope_runs_needed(double rate) {
  return static_cast<std::size_t>(std::ceil(static_cast<double>(envelope_statistics.size()) / rate - 1 - 1e-6));
}

/// Learns from outcomes that passed; others are left out. The rate is divided evenly between the statistics, so that a run of a group is outside any of them with a probability of at most
/// `rate`, if it is exchangeable with the group's runs: of the same units, with other seeds. For units that the runs are not of, nothing is promised. A finite limit needs at least
/// statistics/rate − 1 runs of the group. O(outcomes).
[[nodiscard]] inline Envelope learn_envelope(const std::vector<Outcome>& outcomes, double rate = 0.01) {
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
      group.limits[statistic] = conformal_limit(std::move(values), rate / static_cast<double>(envelope_statistics.size()));
  return envelope;
}

/// Where an outcome lies.
[[nodiscard]] inline EnvelopeJudgement judge(const Envelope& envelope, const Outcome& outcome) {
  EnvelopeJudgement judgement;
  const std::string name = envelope_group(outcome);
  const auto group = envelope.groups.find(name);
  if (group == envelope.groups.end()) {
    judgement.finding = "the envelope knows no runs of " + name;
    return judgement;
  }
  const auto text = [](double value) { return detail::printed_number(value, 4); };
  for (const auto& [statistic, value] : detail::envelope_values(outcome)) {
    const auto limit = group->second.limits.find(statistic);
    if (limit == group->second.limits.end() || !std::isfinite(limit->second)) continue;
    judgement.known = true;
    const double excess = value <= limit->second ? (limit->second > 0 ? value / limit->second : 0)
                          : limit->second > 0    ? value / limit->second
                                                 : std::numeric_limits<double>::infinity();
    judgement.excess = std::fmax(judgement.excess, excess);
    if (value <= limit->second) continue;
    judgement.outside = true;
    judgement.finding += (judgement.finding.empty() ? "outside the envelope of " + std::to_string(group->second.runs) + " runs of " +
                                                          std::to_string(group->second.units.size()) + " known units: "
                                                    : "; ") +
                         statistic + " is " + text(value) + ", theirs at most " + text(limit->second);
  }
  if (!judgement.known)
    judgement.finding = "the envelope has " + std::to_string(group->second.runs) + " runs of " + name + "; limits for a rate of " +
                        text(envelope.rate) + " need " + std::to_string(envelope_runs_needed(envelope.rate));
  return judgement;
}

/// Adds the measurements `outside_envelope` (0 or 1) and `envelope_excess`, and what was found to the diagnosis. A verdict stays; but where `required`, a pass that lies outside or of which nothing
/// is known becomes inconclusive.
inline void apply_envelope(const Envelope& envelope, bool required, Outcome& outcome) {
  if (outcome.verdict != Verdict::pass && outcome.verdict != Verdict::fail && outcome.verdict != Verdict::inconclusive) return;
  const EnvelopeJudgement judgement = judge(envelope, outcome);
  if (judgement.known) {
    outcome.measure("outside_envelope", judgement.outside ? 1 : 0);
    outcome.measure("envelope_excess", judgement.excess);
  }
  if (!judgement.finding.empty()) outcome.diagnosis.push_back(judgement.finding);
  if (!required || outcome.verdict != Verdict::pass || (judgement.known && !judgement.outside)) return;
  outcome.verdict = Verdict::inconclusive;
  outcome.reason = judgement.finding;
}

}  // namespace assay::inline v0
