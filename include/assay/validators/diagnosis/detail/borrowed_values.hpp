#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "assay/core/diagnosis.hpp"
#include "assay/validators/diagnosis/detail/machine_patterns.hpp"
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
    std::vector<double> values;
    for (std::size_t s = 0; s < asked; ++s) {
      const std::size_t i = wrong_[s * wrong_.size() / asked];
      const double actual = output_.actual[i];
      if (!is_finite(actual)) return std::nullopt;
      if (actual == 0) continue;  // which a place may hold for many reasons
      ++told;
      held += is_right_somewhere(actual, i) ? 1 : 0;
      for (const double factor : {1.013, 0.979, 1.031, 0.953}) by_chance += is_right_somewhere(factor * actual, i) ? 1 : 0;
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
    char text[200];
    std::snprintf(
        text, sizeof text,
        "%zu of %zu wrong elements of %s that were asked about hold right values of other places, where %.2g of them would by chance", held,
        told, output_.name.c_str(), chance * count);
    return Diagnosis{FaultClass::addressing, "values_of_other_places", Confidence::likely, {text}, {}};
  }

 private:
  static constexpr std::size_t most_sorted = std::size_t{1} << 20;  // beyond, sorting costs more than it tells

  [[nodiscard]] bool is_right_somewhere(double value, std::size_t element) const {
    const double reach = output_.format.unit_in_last_place(value) * 0.5 + static_cast<double>(output_.error[element]);
    const auto nearest = std::lower_bound(right_.begin(), right_.end(), value - reach);
    return nearest != right_.end() && *nearest <= value + reach;
  }

  const FailingOutput& output_;
  std::vector<double> right_;
  std::vector<std::size_t> wrong_;
};

/// Every so many elements, one that is wrong, or a block: the distance, where it is that of the lanes or warps of a machine rather than a column of the output. 0: none.
[[nodiscard]] inline std::size_t machine_period(const FailingOutput& output) {
  std::vector<std::size_t> wrong;
  for (std::size_t i = 0; i < output.size(); ++i)
    if (output.violated[i]) wrong.push_back(i);
  if (wrong.size() < 3 || 20 * wrong.size() > 7 * output.size()) return 0;
  for (std::size_t period = 64; period >= 8; period /= 2) {
    std::size_t same = 0;
    for (const std::size_t i : wrong) same += i % period == wrong.front() % period ? 1 : 0;
    const std::size_t class_size = (output.size() - wrong.front() % period + period - 1) / period;
    if (same != wrong.size() || 2 * same < class_size) continue;
    const std::size_t column = wrong.front() % output.columns();
    const bool one_column = output.columns() <= period && period % output.columns() == 0;
    if (!one_column || (column != 0 && column + 1 != output.columns())) return period;
  }
  if (const auto blocks = periodic_blocks(output)) return blocks->first * blocks->second;
  return 0;
}

}  // namespace assay::inline v0::detail
