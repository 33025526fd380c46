#pragma once

#include <cstdint>

#include "assay/formats/limits.hpp"
#include "assay/tensor/random_bits.hpp"

namespace assay {

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

/// Approximately normal, mean 0, variance 1, |x| ≤ 6: the sum of twelve 21-bit uniforms (Irwin–Hall), a multiple of 2^−21.
[[nodiscard]] ASSAY_FUNCTION constexpr double standard_normal(RandomBits first, RandomBits second) {
  constexpr std::uint64_t mask = (std::uint64_t{1} << 21) - 1;
  const std::uint64_t sources[4] = {first.low(), first.high(), second.low(), second.high()};
  std::int64_t sum = 0;
  for (std::uint64_t source : sources)
    sum += static_cast<std::int64_t>((source & mask) + ((source >> 21) & mask) + ((source >> 42) & mask));
  constexpr std::int64_t mean = 6 * static_cast<std::int64_t>(mask);
  return static_cast<double>(sum - mean) * power_of_two(-21);
}

/// ±2^e·(1 + f) with the integer e uniform in [lowest, highest) and f uniform in [0, 1).
[[nodiscard]] ASSAY_FUNCTION constexpr double log_uniform(RandomBits bits, int lowest, int highest) {
  const int exponent = lowest + static_cast<int>(uniform_below(bits.words[3], static_cast<std::uint32_t>(highest - lowest)));
  const std::uint64_t sign = static_cast<std::uint64_t>(bits.words[2] & 1) << 63;
  return detail::double_of(sign | static_cast<std::uint64_t>(exponent + 1023) << 52 | bits.low() >> 12);
}

}  // namespace assay
