#pragma once

#include "assay/performance/detail/common_change.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>

#include "assay/core/config.hpp"
#include "assay/performance/detail/regression_text.hpp"
#include "assay/performance/direction.hpp"
#include "assay/performance/regression_outcome.hpp"
#include "assay/statistics/order_statistics.hpp"

namespace assay::inline v0::detail {

/// The logarithm of what times grew by: a rate that fell to a half is a time twice as long. Nothing where none was
/// estimated.
[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE std::optional<double> slowdown_of(const Outcome& outcome) {
  const auto percent = outcome.measurement(measurement::regression_percent);
  if (!percent) return std::nullopt;
  const bool rate = outcome.label("direction") == name_of(Direction::higher_is_better);
  const double slowdown = rate ? -std::log1p(-*percent / 100) : std::log1p(*percent / 100);
  return std::isfinite(slowdown) ? std::optional(slowdown) : std::nullopt;
}

ASSAY_DETAIL_HEADER_INLINE void tell_common_change(std::vector<Outcome>& outcomes) {
  constexpr std::size_t fewest = 5;
  constexpr double nearly_all = 0.9, near = 0.25;
  std::vector<double> slowdowns;
  for (const Outcome& outcome : outcomes)
    if (const auto slowdown = slowdown_of(outcome)) slowdowns.push_back(*slowdown);
  if (slowdowns.size() < fewest) return;
  const double common = median(slowdowns);
  const auto moved = [&](const Outcome& outcome) {
    const auto slowdown = slowdown_of(outcome);
    return slowdown && std::abs(*slowdown - common) <= near * std::abs(common);
  };
  std::size_t together = 0, regressed = 0;
  for (const Outcome& outcome : outcomes) {
    together += moved(outcome) ? 1 : 0;
    regressed += moved(outcome) && outcome.verdict == Verdict::fail ? 1 : 0;
  }
  if (static_cast<double>(together) < nearly_all * static_cast<double>(slowdowns.size()) || regressed < fewest) return;
  Outcome all;
  all.id = "regression/all series together";
  all.verdict = Verdict::fail;
  all.reason = std::to_string(together) + " of " + std::to_string(slowdowns.size()) + " series got slower by " +
               percent_text(std::expm1(common)) +
               " together: something that all share changed, such as the machine, its clocks or the compiler; measure "
               "the baseline's version again on the machine of today";
  all.labels = {{"operation", "regression"}, {"metric", "all series together"}, {"change", "worse"}};
  all.measure(measurement::regression_percent, 100 * std::expm1(common), "%");
  for (Outcome& outcome : outcomes) {
    if (!moved(outcome)) continue;
    for (const std::string& difference : outcome.derivation)
      if (std::find(all.derivation.begin(), all.derivation.end(), difference) == all.derivation.end() &&
          all.derivation.size() < fewest)
        all.derivation.push_back(difference);
    if (outcome.verdict != Verdict::fail) continue;
    outcome.verdict = Verdict::inconclusive;
    outcome.labels["change"] = "unknown";
    outcome.derivation.push_back(outcome.reason);
    outcome.reason = "it moved with " + std::to_string(together - 1) + " others, by about " +
                     percent_text(std::expm1(common)) + ": see 'all series together'";
  }
  outcomes.push_back(std::move(all));
}

}  // namespace assay::inline v0::detail
