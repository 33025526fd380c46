#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "assay/core/detail/printed_number.hpp"
#include "assay/core/diagnosis.hpp"
#include "assay/validators/diagnosis/detail/evidence.hpp"
#include "assay/validators/diagnosis/failing_output.hpp"

namespace assay::inline v0::detail {

/// Whether wrong elements hold right values of other places, whichever these are: told where values are many and known to enough digits that others fit none of them.
class BorrowedValues {
 public:
  explicit BorrowedValues(const FailingOutput& output) : output_(output) {
    if (output.size() > most_sorted) return;
    for (std::size_t i = 0; i < output.size(); ++i)
      if (is_finite(output.expected[i])) right_.push_back(output.right(i));
    std::sort(right_.begin(), right_.end());
    for (std::size_t i = 0; i < output.size(); ++i)
      if (output.violated[i]) wrong_.push_back(i);
  }

  [[nodiscard]] std::optional<Diagnosis> explanation() const {
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
                             " that were asked about hold right values of other places, where " + printed_number(chance * count, 2) +
                             " of them would by chance";
    return Diagnosis{FaultClass::addressing, "values_of_other_places", Confidence::likely, {text}, {}};
  }

 private:
  static constexpr std::size_t most_sorted = std::size_t{1} << 20;  // beyond, sorting costs more than it tells

  /// Between a right value and the next larger one.
  [[nodiscard]] double usual_gap() const {
    std::vector<double> gaps;
    for (std::size_t i = 1; i < right_.size(); ++i)
      if (right_[i] > right_[i - 1]) gaps.push_back(right_[i] - right_[i - 1]);
    return gaps.empty() ? 1 : upper_median(gaps);
  }
  [[nodiscard]] bool is_right_somewhere(double value, std::size_t element) const {
    const double reach = output_.format.unit_in_last_place(value) * 0.5 + static_cast<double>(output_.error[element]);
    const auto nearest = std::lower_bound(right_.begin(), right_.end(), value - reach);
    return nearest != right_.end() && *nearest <= value + reach;
  }

  const FailingOutput& output_;
  std::vector<double> right_;
  std::vector<std::size_t> wrong_;
};

}  // namespace assay::inline v0::detail
