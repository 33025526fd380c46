#pragma once

#include <cstdint>

#include "assay/core/config.hpp"

namespace assay::inline v0 {

/// 128 random bits.
struct RandomBits {
  std::uint32_t words[4];  ///< least significant first

  /// The lower 64 bits.
  [[nodiscard]] ASSAY_FUNCTION constexpr std::uint64_t low() const {
    return words[0] | static_cast<std::uint64_t>(words[1]) << 32;
  }
  /// The upper 64 bits.
  [[nodiscard]] ASSAY_FUNCTION constexpr std::uint64_t high() const {
    return words[2] | static_cast<std::uint64_t>(words[3]) << 32;
  }
};

/// Philox4x32-10: 128 random bits as a pure function of a 128-bit counter and a 64-bit key, in integer arithmetic only,
/// so that every device and any number of threads make the same bits. O(1). Source: Salmon, Moraes, Dror, Shaw,
/// "Parallel random numbers: as easy as 1, 2, 3", SC'11.
[[nodiscard]] ASSAY_FUNCTION constexpr RandomBits random_bits(std::uint64_t key, std::uint64_t counter_low,
                                                              std::uint64_t counter_high) {
  std::uint32_t x0 = static_cast<std::uint32_t>(counter_low), x1 = static_cast<std::uint32_t>(counter_low >> 32);
  std::uint32_t x2 = static_cast<std::uint32_t>(counter_high), x3 = static_cast<std::uint32_t>(counter_high >> 32);
  std::uint32_t k0 = static_cast<std::uint32_t>(key), k1 = static_cast<std::uint32_t>(key >> 32);
  for (int round = 0; round < 10; ++round) {
    const std::uint64_t product0 = std::uint64_t{0xD2511F53u} * x0;
    const std::uint64_t product1 = std::uint64_t{0xCD9E8D57u} * x2;
    x0 = static_cast<std::uint32_t>(product1 >> 32) ^ x1 ^ k0;
    x1 = static_cast<std::uint32_t>(product1);
    x2 = static_cast<std::uint32_t>(product0 >> 32) ^ x3 ^ k1;
    x3 = static_cast<std::uint32_t>(product0);
    k0 += 0x9E3779B9u;
    k1 += 0xBB67AE85u;
  }
  return RandomBits{{x0, x1, x2, x3}};
}

}  // namespace assay::inline v0
