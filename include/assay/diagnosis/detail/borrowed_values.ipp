#pragma once

#include "assay/diagnosis/detail/borrowed_values.hpp"

#include <cmath>

#include "assay/core/config.hpp"

namespace assay::inline v0::detail {

ASSAY_DETAIL_HEADER_INLINE BorrowedValues::BorrowedValues(const FailingOutput& output) : output_(output) {
  if (output.size() > most_sorted) return;
  for (std::size_t i = 0; i < output.size(); ++i)
    if (is_finite(output.expected[i])) right_.push_back(output.right(i));
  std::sort(right_.begin(), right_.end());
  for (std::size_t i = 0; i < output.size(); ++i)
    if (output.violated[i]) wrong_.push_back(i);
}

ASSAY_DETAIL_HEADER_INLINE std::optional<Diagnosis> BorrowedValues::explanation() const {
  if (!output_.format.is_float() || wrong_.size() < 3) return std::nullopt;
  const std::size_t asked = std::min<std::size_t>(wrong_.size(), 2000);
  std::size_t held = 0, by_chance = 0, told = 0;
  const double gap = usual_gap();
  std::vector<double> values;
  for (std::size_t s = 0; s < asked; ++s) {
    const std::size_t i = wrong_[s * wrong_.size() / asked];
    const double actual = output_.actual[i];
    if (!is_finite(actual)) return std::nullopt;
    if (actual == 0) continue;  // which a place may hold for many reasons
    ++told;
    held += is_right_somewhere(actual, i) ? 1 : 0;
    // values that nobody borrowed: near by, and where right values lie on a lattice the next ones of it
    for (const double other : {1.013 * actual, 0.979 * actual, actual + gap, actual - gap})
      by_chance += is_right_somewhere(other, i) ? 1 : 0;
    values.push_back(actual);
  }
  if (2 * told < asked) return std::nullopt;
  const auto count = static_cast<double>(told);
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
  const double chance = std::min(1.0, (static_cast<double>(by_chance) + 1) / (4 * count));
  if (static_cast<double>(held) < 0.98 * count || values.size() < 3 || chance > 0.5 ||
      static_cast<double>(values.size()) * -std::log(chance) < 7)
    return std::nullopt;
  const std::string text = std::to_string(held) + " of " + std::to_string(told) + " wrong elements of " + output_.name +
                           " that were asked about hold right values of other places, where " +
                           printed_number(chance * count, 2) + " of them would by chance";
  return Diagnosis{FaultClass::addressing, "values_of_other_places", Confidence::likely, {text}, {}};
}

}  // namespace assay::inline v0::detail
