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
#include "assay/validators/diagnosis/detail/evidence.hpp"
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
    char text[200];
    std::snprintf(
        text, sizeof text,
        "%zu of %zu wrong elements of %s that were asked about hold right values of other places, where %.2g of them would by chance", held,
        told, output_.name.c_str(), chance * count);
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

/// How wrong elements recur with the lanes or warps of a machine rather than with the columns of the output; empty where they do not.
[[nodiscard]] inline std::string machine_recurrence(const FailingOutput& output) {
  std::vector<std::size_t> wrong;
  for (std::size_t i = 0; i < output.size(); ++i)
    if (output.violated[i]) wrong.push_back(i);
  if (wrong.size() < 2) return {};
  const std::size_t columns = output.columns(), column = wrong.front() % columns;
  bool one_column = true;
  for (const std::size_t i : wrong) one_column = one_column && i % columns == column;
  const auto recurs = [](std::size_t period) {
    return "they recur every " + std::to_string(period) + " elements, and all others are right: one lane, warp or multiprocessor";
  };
  for (std::size_t period = 64; period >= 8; period /= 2) {
    const std::size_t lane = wrong.front() % period, all = (output.size() - lane + period - 1) / period;
    bool of_lane = true;
    for (const std::size_t i : wrong) of_lane = of_lane && i % period == lane;
    const bool enough = (wrong.size() >= 4 && period >= 16) || (2 * wrong.size() >= all && (wrong.size() > 2 || period >= 32));
    const bool of_column = one_column && (columns > period || column == 0 || column + 1 == columns);
    if (of_lane && enough && !of_column) return recurs(period);
  }
  const auto blocks = faulty_blocks(output);
  if (!blocks) return {};
  if (blocks->period > 0) return recurs(blocks->period * blocks->size);
  return "they fill one block of " + std::to_string(blocks->size) + " elements, wherever rows begin: one warp or multiprocessor";
}

/// Whether whole blocks of as many elements as a warp or a multiprocessor has, which are no unit of the output's own, hold the results of the block before, or behind; empty where they do not.
[[nodiscard]] inline std::string blocks_of_neighbours(const FailingOutput& output) {
  for (std::size_t size = 128; size >= 16; size /= 2) {
    if (is_slice(output, size) || output.size() < 2 * size ||
        (output.columns() > size && output.columns() % size == 0 && output.rows() > 1))
      continue;
    std::vector<std::size_t> wrong_in(output.size() / size + 1);
    bool before = true, behind = true;
    for (std::size_t i = 0; i < output.size() && (before || behind); ++i) {
      if (!output.violated[i]) continue;
      ++wrong_in[i / size];
      before = before && i >= size && output.accepted(i - size).contains(output.actual[i]);
      behind = behind && i + size < output.size() && output.accepted(i + size).contains(output.actual[i]);
    }
    if (!before && !behind) continue;
    std::size_t hit = 0;
    bool apart = true, filled = true;
    for (std::size_t block = 0; block < wrong_in.size(); ++block) {
      if (wrong_in[block] == 0) continue;
      ++hit;
      filled = filled && 2 * wrong_in[block] >= size;
      apart = apart && (block == 0 || wrong_in[block - 1] == 0);
    }
    if (filled && apart && hit > 0 && 2 * hit * size < output.size())
      return "they fill " + std::to_string(hit) + (hit > 1 ? " blocks of " : " block of ") + std::to_string(size) +
             " elements, and are the results of the one " + (before ? "before" : "behind") + ": one warp or multiprocessor";
  }
  return {};
}

}  // namespace assay::inline v0::detail
