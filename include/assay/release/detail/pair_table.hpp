#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace assay::inline v0::detail {

/// A number for each pair of values of two different axes.
class PairTable {
 public:
  explicit PairTable(const std::vector<std::size_t>& sizes) : sizes_(sizes), offsets_(sizes.size() * sizes.size(), 0) {
    std::size_t offset = 0;
    for (std::size_t i = 0; i < sizes.size(); ++i)
      for (std::size_t j = i + 1; j < sizes.size(); ++j) {
        offsets_[i * sizes.size() + j] = offset;
        offset += sizes[i] * sizes[j];
      }
    numbers_.assign(offset, 0);
  }

  [[nodiscard]] std::size_t size() const noexcept { return numbers_.size(); }

  /// Precondition: the axes differ.
  [[nodiscard]] std::uint32_t& at(std::size_t axis, std::size_t value, std::size_t other_axis,
                                  std::size_t other_value) noexcept {
    if (axis > other_axis) return at(other_axis, other_value, axis, value);
    return numbers_[offsets_[axis * sizes_.size() + other_axis] + value * sizes_[other_axis] + other_value];
  }

  /// Calls `visit(number, i, a, j, b)` for every pair within a combination.
  template <class Visit>
  void each_within(std::span<const std::uint16_t> values, Visit visit) {
    for (std::size_t i = 0; i < values.size(); ++i)
      for (std::size_t j = i + 1; j < values.size(); ++j)
        visit(at(i, values[i], j, values[j]), i, values[i], j, values[j]);
  }

  /// The same for every pair that there is.
  template <class Visit>
  void each(Visit visit) {
    for (std::size_t i = 0; i < sizes_.size(); ++i)
      for (std::size_t j = i + 1; j < sizes_.size(); ++j)
        for (std::size_t a = 0; a < sizes_[i]; ++a)
          for (std::size_t b = 0; b < sizes_[j]; ++b) visit(at(i, a, j, b), i, a, j, b);
  }

 private:
  std::vector<std::size_t> sizes_;
  std::vector<std::size_t> offsets_;
  std::vector<std::uint32_t> numbers_;
};

}  // namespace assay::inline v0::detail
