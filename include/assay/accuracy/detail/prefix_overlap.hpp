#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace assay::inline v0::detail {

/// What `NgramOverlap` counts, of two sequences of tokens from 1 to 255 and up to seven orders, by sorting: an n-gram
/// is the beginning of what stands at its place, so that equal ones of all orders are neighbors once the places are
/// sorted.
class PrefixOverlap {
 public:
  static constexpr std::size_t most_orders = 7;

  [[nodiscard]] static bool holds(std::span<const std::uint32_t> tokens) noexcept {
    return std::all_of(tokens.begin(), tokens.end(), [](std::uint32_t token) { return token >= 1 && token <= 255; });
  }

  /// Shared n-grams by order − 1, one counted as often as both have it. `orders` is at most `most_orders`, and both
  /// sequences hold. O(n log n).
  [[nodiscard]] const std::vector<std::size_t>& shared(std::span<const std::uint32_t> ours,
                                                       std::span<const std::uint32_t> theirs, std::size_t orders) {
    keys_.clear();
    append(ours, 0);
    append(theirs, 1);
    std::sort(keys_.begin(), keys_.end());
    shared_.assign(orders, 0);
    std::array<std::array<std::uint32_t, most_orders>, 2> counts{};
    const auto close = [&](std::size_t first) {
      for (std::size_t n = first; n < orders; ++n) {
        shared_[n] += std::min(counts[0][n], counts[1][n]);
        counts[0][n] = counts[1][n] = 0;
      }
    };
    std::uint64_t before = 0;
    for (const std::uint64_t key : keys_) {
      const std::uint64_t text = key >> 8 << 8;
      close(static_cast<std::size_t>(std::countl_zero(text ^ before)) / 8);
      const std::size_t length = most_orders - static_cast<std::size_t>(std::countr_zero(text) - 8) / 8;
      for (std::size_t n = 0; n < std::min(length, orders); ++n) ++counts[key & 1][n];
      before = text;
    }
    close(0);
    return shared_;
  }

 private:
  /// Seven tokens from each place on, the first in the highest byte, zeros behind the end, and the side in the lowest.
  void append(std::span<const std::uint32_t> tokens, std::uint64_t side) {
    std::uint64_t text = 0;
    keys_.resize(keys_.size() + tokens.size());
    for (std::size_t i = tokens.size(); i-- > 0;) {
      text = text >> 8 | std::uint64_t{tokens[i]} << 56;
      keys_[keys_.size() - tokens.size() + i] = text >> 8 << 8 | side;
    }
  }

  std::vector<std::uint64_t> keys_;
  std::vector<std::size_t> shared_;
};

}  // namespace assay::inline v0::detail
