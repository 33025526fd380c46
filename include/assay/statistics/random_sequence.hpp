#pragma once

#include <cstdint>
#include <span>
#include <utility>

namespace assay::inline v0::detail {

/// splitmix64: 64 random bits a call, the same on every machine. Source: Steele, Lea, Flood, "Fast splittable
/// pseudorandom number generators", OOPSLA 2014.
class RandomSequence {
 public:
  explicit constexpr RandomSequence(std::uint64_t seed) noexcept : state_(seed) {}

  constexpr std::uint64_t next() noexcept {
    std::uint64_t bits = state_ += 0x9E3779B97F4A7C15u;
    bits = (bits ^ (bits >> 30)) * 0xBF58476D1CE4E5B9u;
    bits = (bits ^ (bits >> 27)) * 0x94D049BB133111EBu;
    return bits ^ (bits >> 31);
  }
  /// A number of [0, count); its bias is below count / 2^32. Precondition: 1 ≤ count ≤ 2^32.
  constexpr std::uint32_t below(std::uint64_t count) noexcept {
    return static_cast<std::uint32_t>(((next() >> 32) * count) >> 32);
  }

  /// Fisher and Yates. O(n).
  template <class Value>
  constexpr void shuffle(std::span<Value> values) noexcept {
    for (std::size_t left = values.size(); left > 1; --left) std::swap(values[left - 1], values[below(left)]);
  }

 private:
  std::uint64_t state_;
};

}  // namespace assay::inline v0::detail
