#pragma once

#include <cstdint>

#include "assay/formats/limits.hpp"
#include "assay/tensor/random_bits.hpp"

namespace assay::inline v0 {

/// Random reals from random bits. Each is built by integer arithmetic and at most one multiplication by a power of two,
/// without libm: the same on every compiler and device.

/// Uniform over the multiples of 2^−53 in (0, 1].
[[nodiscard]] ASSAY_FUNCTION constexpr double uniform_positive(RandomBits bits) {
  return static_cast<double>((bits.low() >> 11) + 1) * power_of_two(-53);
}

/// Uniform over [−1, 1] without 0.
[[nodiscard]] ASSAY_FUNCTION constexpr double uniform_symmetric(RandomBits bits) {
  const double magnitude = uniform_positive(bits);
  return (bits.words[3] >> 31) != 0 ? -magnitude : magnitude;
}

/// Uniform integer in [0, bound), bias below bound/2^32. Precondition: 0 < bound < 2^32.
[[nodiscard]] ASSAY_FUNCTION constexpr std::uint32_t uniform_below(std::uint32_t word, std::uint32_t bound) {
  return static_cast<std::uint32_t>((std::uint64_t{word} * bound) >> 32);
}

/// Uniform integer in ±[1, bound].
[[nodiscard]] ASSAY_FUNCTION constexpr double nonzero_integer(RandomBits bits, std::uint32_t bound) {
  const double magnitude = static_cast<double>(1 + uniform_below(bits.words[0], bound));
  return (bits.words[1] >> 31) != 0 ? -magnitude : magnitude;
}

/// Approximately normal, mean 0, variance 1, |x| < 6: the sum of eleven uniforms of 9 bits and one of 29 (Irwin–Hall),
/// an odd multiple of 2^−30: as fine as float32 can tell.
[[nodiscard]] ASSAY_FUNCTION constexpr double standard_normal(RandomBits bits) {
  constexpr std::uint64_t mask = (std::uint64_t{1} << 9) - 1;
  std::uint64_t low = bits.low(), high = bits.high(), coarse = 0;
  for (int i = 0; i < 6; ++i, low >>= 9) coarse += low & mask;
  for (int i = 0; i < 5; ++i, high >>= 9) coarse += high & mask;
  const std::uint64_t fine = low | high << 10;
  constexpr std::int64_t twice_mean = static_cast<std::int64_t>((11 * mask << 20) + (std::uint64_t{1} << 29) - 1);
  return static_cast<double>(static_cast<std::int64_t>(2 * ((coarse << 20) + fine)) - twice_mean) * power_of_two(-30);
}

/// ±2^e·(1 + f) with the integer e uniform in [lowest, highest) and f uniform in [0, 1).
[[nodiscard]] ASSAY_FUNCTION constexpr double log_uniform(RandomBits bits, int lowest, int highest) {
  const int exponent =
      lowest + static_cast<int>(uniform_below(bits.words[3], static_cast<std::uint32_t>(highest - lowest)));
  const std::uint64_t sign = static_cast<std::uint64_t>(bits.words[2] & 1) << 63;
  return detail::double_of(sign | static_cast<std::uint64_t>(exponent + 1023) << 52 | bits.low() >> 12);
}

}  // namespace assay::inline v0
