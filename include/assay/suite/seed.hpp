#pragma once

#include <cstdint>
#include <string_view>

namespace assay::inline v0 {

namespace detail {

/// 64-bit FNV-1a over the bytes of `text`.
[[nodiscard]] constexpr std::uint64_t fowler_noll_vo_1a(std::string_view text) noexcept {
  std::uint64_t hash = 0xCBF29CE484222325u;
  for (const char character : text) {
    hash ^= static_cast<unsigned char>(character);
    hash *= 0x00000100000001B3u;
  }
  return hash;
}

/// The finalizer of splitmix64: a bijection in which every input bit moves every output bit.
[[nodiscard]] constexpr std::uint64_t splitmix64_finalize(std::uint64_t bits) noexcept {
  bits = (bits ^ (bits >> 30)) * 0xBF58476D1CE4E5B9u;
  bits = (bits ^ (bits >> 27)) * 0x94D049BB133111EBu;
  return bits ^ (bits >> 31);
}

}  // namespace detail

/// The seed of one case: finalize(finalize(run_seed + 0x9E3779B97F4A7C15) xor FNV-1a(id)), in arithmetic modulo 2^64.
///
/// A function of the run's seed and the case's id alone, so that selection, order, sharding and the other cases of the
/// suite do not move it. The value is part of the library's interface: it stays the same in every version, or recorded
/// failures could not be run again. O(|id|).
[[nodiscard]] constexpr std::uint64_t case_seed(std::uint64_t run_seed, std::string_view id) noexcept {
  return detail::splitmix64_finalize(detail::splitmix64_finalize(run_seed + 0x9E3779B97F4A7C15u) ^
                                     detail::fowler_noll_vo_1a(id));
}

}  // namespace assay::inline v0
