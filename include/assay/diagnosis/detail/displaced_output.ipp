#pragma once

#include "assay/diagnosis/detail/displaced_output.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "assay/core/config.hpp"

namespace assay::inline v0::detail {

ASSAY_DETAIL_HEADER_INLINE DisplacedOutput::DisplacedOutput(const FailingOutput& output, bool repeats)
    : output_(output), size_(static_cast<Index>(output.size())), repeats_(repeats) {
  for (std::size_t i = 0; i < output.size(); ++i)
    if (output.violated[i]) wrong_.push_back(static_cast<Index>(i));
  const std::size_t step = wrong_.size() / 4096 + 1;
  for (std::size_t i = 0; i < wrong_.size(); i += step) sample_.push_back(wrong_[i]);
}

ASSAY_DETAIL_HEADER_INLINE std::optional<Diagnosis> DisplacedOutput::explanation() {
  if (wrong_.empty() || size_ < 4) return std::nullopt;
  try_slices();
  try_one_row();
  try_transpositions();
  try_tiles();
  try_pitches();
  try_offsets();
  if (!best_) return std::nullopt;
  Diagnosis diagnosis;
  diagnosis.fault_class = FaultClass::addressing;
  diagnosis.kind = best_->kind;
  const double violated = static_cast<double>(wrong_.size()) / static_cast<double>(size_);
  diagnosis.confidence = best_->share >= 1 && sample_.size() >= 8 && violated > 0.4
                             ? Confidence::certain
                             : Confidence::likely;  // few may be wrong for reasons of the machine
  if (!repeats_ && wrong_.size() >= 4 && violated < 0.25 && !regular()) {
    diagnosis.fault_class = FaultClass::state;
    diagnosis.kind = "race";
    diagnosis.confidence = Confidence::likely;
  }
  diagnosis.evidence.push_back(printed_number(100 * best_->share, 4) + " % of the " + std::to_string(wrong_.size()) +
                               " wrong elements of " + output_.name + " are " + best_->effect);
  return diagnosis;
}

ASSAY_DETAIL_HEADER_INLINE bool DisplacedOutput::regular() const {
  std::map<Index, std::size_t> distances;
  for (std::size_t i = 1; i < wrong_.size(); ++i) ++distances[wrong_[i] - wrong_[i - 1]];
  std::size_t most = 0;
  for (const auto& [distance, count] : distances) most = std::max(most, count);
  return 2 * most > wrong_.size();
}

ASSAY_DETAIL_HEADER_INLINE void DisplacedOutput::attempt(const std::string& kind, const std::string& effect,
                                                         const std::function<Index(Index)>& source) {
  std::size_t tried = 0, held = 0, told = 0;
  for (const Index element : sample_) {
    const Index from = source(element);
    ++tried;
    if (tried == 64 && held * 4 < tried) return;
    if (!holds(element, from)) continue;
    ++held;
    const double value = output_.actual[static_cast<std::size_t>(element)];
    told += value != 0 && is_finite(value) ? 1 : 0;
  }
  if (tried == 0 || told == 0) return;
  const double share = static_cast<double>(held) / static_cast<double>(tried);
  if (share < 0.9 || by_chance(source, held) || (best_ && best_->share >= share)) return;
  best_ = Candidate{kind, effect, share};
}

ASSAY_DETAIL_HEADER_INLINE bool DisplacedOutput::by_chance(const std::function<Index(Index)>& source,
                                                           std::size_t held) const {
  std::size_t fits = 0, tried = 0;
  const std::size_t others = std::max<std::size_t>(1, 512 / sample_.size());
  for (const Index element : sample_)
    for (std::size_t k = 1; k <= others; ++k) {
      const Index from = source(element);
      const Index other =
          (from + 1 + static_cast<Index>(static_cast<std::uint64_t>(element + 1) * k * 0x9E3779B97F4A7C15u >> 33)) %
          size_;
      if (from < 0 || other == from || other == element) continue;
      ++tried;
      fits += holds(element, other) ? 1 : 0;
    }
  const double chance = (static_cast<double>(fits) + 0.5) / (static_cast<double>(tried) + 1);
  return tried == 0 || chance > (held >= 64 ? 0.5 : 0.2) || static_cast<double>(held) * -std::log(chance) < 6;
}

ASSAY_DETAIL_HEADER_INLINE void DisplacedOutput::try_slices() {
  Index inner = size_;
  for (std::size_t d = 0; d < output_.extents.size(); ++d) {
    const Index extent = output_.extents[d];
    if (extent < 1) return;
    inner /= extent;
    if (extent < 2) continue;
    const std::string along = " along dimension " + std::to_string(d);
    const auto place = [inner, extent](Index element) { return element / inner % extent; };
    const auto each = [&](const char* kind, const std::string& effect, const std::function<Index(Index, Index)>& from) {
      attempt(kind, effect + along, [=](Index element) {
        const Index index = place(element), other = from(index, extent);
        return other < 0 || other >= extent ? Index{-1} : element + (other - index) * inner;
      });
    };
    each("first_slice_repeated", "those of the first slice", [](Index, Index) { return Index{0}; });
    each("last_slice_repeated", "those of the last slice", [](Index, Index n) { return n - 1; });
    each("slice_repeated", "those of the first half", [](Index i, Index n) { return i - (n + 1) / 2; });
    each("slice_repeated", "those of half the extent before", [](Index i, Index n) { return i - n / 2; });
    each("reversed", "those of the mirrored place", [](Index i, Index n) { return n - 1 - i; });
    each("halves_exchanged", "those of the other half", [](Index i, Index n) { return (i + n / 2) % n; });
    each("pairs_exchanged", "those of their neighbors in pairs", [](Index i, Index) { return i ^ 1; });
    for (const Index shift : {1, 2, 4, 8, 16, 32, 64})
      for (const Index sign : {1, -1})
        if (shift < extent)
          each("shifted",
               std::string("those ") + std::to_string(shift) + (sign > 0 ? " behind" : " before") + ", round about,",
               [shift, sign](Index i, Index n) { return (i + sign * shift + n) % n; });
  }
}

ASSAY_DETAIL_HEADER_INLINE void DisplacedOutput::try_one_row() {
  const auto columns = static_cast<Index>(output_.columns()), rows = static_cast<Index>(output_.rows());
  if (rows < 3 || columns < 3) return;
  const auto same = [](double a, double b) { return a == b || (is_nan(a) && is_nan(b)); };
  for (Index element = columns; element < size_; ++element)
    if (!same(output_.actual[static_cast<std::size_t>(element)],
              output_.actual[static_cast<std::size_t>(element % columns)]))
      return;
  for (Index row = 0; row < std::min<Index>(rows, 64); ++row)
    attempt("row_repeated", "those of row " + std::to_string(row),
            [=](Index element) { return row * columns + element % columns; });
}

ASSAY_DETAIL_HEADER_INLINE void DisplacedOutput::try_transpositions() {
  for (std::size_t d = 0; d + 1 < output_.extents.size(); ++d) {
    const Index rows = output_.extents[d], columns = output_.extents[d + 1];
    if (rows < 2 || columns < 2) continue;
    Index inner = 1;
    for (std::size_t e = d + 2; e < output_.extents.size(); ++e) inner *= output_.extents[e];
    const std::string dimensions = "dimensions " + std::to_string(d) + " and " + std::to_string(d + 1);
    attempt("transposed", "those with " + dimensions + " exchanged", [=](Index element) {
      const Index within = element / inner % (rows * columns);
      return element + (within % rows * columns + within / rows - within) * inner;
    });
    attempt("transposed", "those with " + dimensions + " exchanged", [=](Index element) {
      const Index within = element / inner % (rows * columns);
      return element + (within % columns * rows + within / columns - within) * inner;
    });
  }
}

ASSAY_DETAIL_HEADER_INLINE void DisplacedOutput::try_tiles() {
  const auto columns = static_cast<Index>(output_.columns()), rows = static_cast<Index>(output_.rows());
  for (Index tile = 2; tile <= 64 && tile <= std::min(rows, columns); tile *= 2)
    attempt("tiles_transposed",
            "those of tiles of " + std::to_string(tile) + " x " + std::to_string(tile) + " transposed",
            [=](Index element) {
              const Index row = element / columns, column = element % columns, top = row / tile * tile,
                          left = column / tile * tile;
              return top + tile > rows || left + tile > columns ? element
                                                                : (top + column - left) * columns + left + row - top;
            });
}

ASSAY_DETAIL_HEADER_INLINE void DisplacedOutput::try_pitches() {
  const auto columns = static_cast<Index>(output_.columns());
  if (static_cast<Index>(output_.rows()) < 2 || columns < 2) return;
  for (Index pitch = std::max<Index>(2, columns - 8); pitch <= columns + 32; ++pitch)
    if (pitch <= columns + 8 || pitch % 8 == 0)
      if (pitch != columns)
        attempt(
            "wrong_pitch",
            "those of rows that lie " + std::to_string(pitch) + " elements apart instead of " + std::to_string(columns),
            [=](Index element) {
              return element % pitch < columns ? element / pitch * columns + element % pitch : Index{-1};
            });
}

ASSAY_DETAIL_HEADER_INLINE void DisplacedOutput::try_offsets() {
  std::vector<std::pair<double, Index>> sorted;
  const Index step = size_ / 200000 + 1;
  if (step > 1) return;
  for (Index i = 0; i < size_; ++i)
    if (is_finite(output_.expected[static_cast<std::size_t>(i)]))
      sorted.emplace_back(output_.right(static_cast<std::size_t>(i)), i);
  std::sort(sorted.begin(), sorted.end());
  std::map<Index, std::size_t> votes;
  const std::size_t asked = std::min<std::size_t>(sample_.size(), 200);
  for (std::size_t s = 0; s < asked; ++s) {
    const Index element = sample_[s * sample_.size() / asked];
    const double actual = output_.actual[static_cast<std::size_t>(element)];
    if (!is_finite(actual) || actual == 0) continue;
    const double reach = output_.format.unit_in_last_place(actual) +
                         2 * static_cast<double>(output_.error[static_cast<std::size_t>(element)]);
    auto first = std::lower_bound(sorted.begin(), sorted.end(), std::pair<double, Index>(actual - reach, -1));
    for (int count = 0; first != sorted.end() && first->first <= actual + reach && count < 8; ++first, ++count)
      ++votes[first->second - element];
  }
  const auto most = std::max_element(votes.begin(), votes.end(), [](const auto& a, const auto& b) {
    return a.second < b.second || (a.second == b.second && std::abs(a.first) > std::abs(b.first));
  });
  if (most == votes.end() || most->first == 0) return;
  const Index offset = most->first, columns = static_cast<Index>(output_.columns());
  if (sample_.size() < 3 && std::abs(offset) != 1 && std::abs(offset) != columns && columns - std::abs(offset) != 1)
    return;
  attempt(sample_.size() == 1 ? "neighbor_element" : "displaced",
          "those " + std::to_string(std::abs(offset)) + (offset > 0 ? " elements behind" : " elements before"),
          [offset](Index element) { return element + offset; });
}

}  // namespace assay::inline v0::detail
