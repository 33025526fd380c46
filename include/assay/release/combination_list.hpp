#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "assay/core/misuse.hpp"

namespace assay::inline v0 {

/// Combinations of a matrix, each a value's position on every axis, close together in memory.
class CombinationList {
 public:
  /// No combinations yet, of that many axes.
  explicit CombinationList(std::size_t axes) : axes_(axes) {}

  /// Positions that a combination has.
  [[nodiscard]] std::size_t axes() const noexcept { return axes_; }
  /// Number of combinations.
  [[nodiscard]] std::size_t size() const noexcept { return axes_ == 0 ? 0 : positions_.size() / axes_; }
  /// Whether there is none.
  [[nodiscard]] bool empty() const noexcept { return positions_.empty(); }

  /// Precondition: `index < size()`. Stays valid until the list grows.
  [[nodiscard]] std::span<const std::uint16_t> operator[](std::size_t index) const noexcept {
    return {positions_.data() + index * axes_, axes_};
  }

  /// Precondition: one position for each axis.
  void push_back(std::span<const std::uint16_t> combination) {
    expect(combination.size() == axes_, [&] {
      return "a combination of " + std::to_string(combination.size()) + " values was added to a list of " +
             std::to_string(axes_) + " axes";
    });
    positions_.insert(positions_.end(), combination.begin(), combination.end());
  }

 private:
  std::size_t axes_;
  std::vector<std::uint16_t> positions_;
};

}  // namespace assay::inline v0
