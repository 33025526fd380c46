#pragma once

#include "assay/diagnosis/detail/few_bits.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "assay/core/config.hpp"

namespace assay::inline v0::detail {

ASSAY_DETAIL_HEADER_INLINE std::optional<Diagnosis> by_few_bits(const FailingOutput& output) {
  constexpr std::size_t least_elements = 4;
  constexpr int least_zeros = 3;
  const int fraction_bits = output.format.layout.fraction_bits;
  if (!output.format.is_float() || fraction_bits <= least_zeros || output.violations < least_elements)
    return std::nullopt;
  const std::uint64_t fraction = (std::uint64_t{1} << fraction_bits) - 1;
  const auto zeros_of = [&](double value) {
    const std::uint64_t bits = output.format.encode(value) & fraction;
    return bits == 0 ? fraction_bits : std::countr_zero(bits);
  };
  const double least = std::ldexp(1.0, output.format.layout.min_exponent());
  int zeros = fraction_bits;
  std::size_t telling = 0;
  double distance = HUGE_VAL, largest = 0,
         smallest = HUGE_VAL;  // a power of two of which all are multiples; of the sizes other than 0
  for (std::size_t i = 0; i < output.size(); ++i) {
    if (!output.violated[i]) continue;
    const double size = std::fabs(output.actual[i]);
    if (!is_finite(size) || !is_finite(output.expected[i])) return std::nullopt;
    if (size == 0) continue;
    if (size < least) return std::nullopt;
    largest = std::max(largest, size);
    smallest = std::min(smallest, size);
    const int own_zeros = zeros_of(size);
    if (own_zeros < least_zeros) return std::nullopt;
    zeros = std::min(zeros, own_zeros);
    distance = std::min(distance, std::ldexp(1.0, std::ilogb(size) - fraction_bits + own_zeros));
    ++telling;
  }
  if (!(largest > smallest) || telling < least_elements || 2 * telling < output.violations)
    return std::nullopt;  // one number tells no format
  bool nearest = true, inward = true;
  std::size_t saturated = 0;
  for (std::size_t i = 0; i < output.size() && (nearest || inward); ++i) {
    if (!output.violated[i]) continue;
    const double expected = std::fabs(output.expected[i]), error = static_cast<double>(output.error[i]),
                 off = std::fabs(output.actual[i] - output.expected[i]);
    if (std::fabs(output.actual[i]) == largest && expected > largest &&
        (output.actual[i] < 0) == (output.expected[i] < 0)) {
      const bool near = off <= std::ldexp(output.format.unit_in_last_place(expected), zeros) / 2 + error;
      saturated += near ? 0 : 1;
      continue;
    }
    const double gap =
        std::max(distance, std::ldexp(output.format.unit_in_last_place(expected), zeros));  // between two such numbers
    const double right = output.right(i);
    if (zeros_of(right) >= zeros && std::remainder(right, distance) == 0) return std::nullopt;
    nearest = nearest && off <= gap / 2 + error;
    inward = inward && off <= gap + error && std::fabs(output.actual[i]) <= expected + error;
  }
  if ((!nearest && !inward) || 2 * saturated > output.violations) return std::nullopt;
  return Diagnosis{
      FaultClass::precision,
      nearest ? "few_bits" : "few_bits_cut_off",
      Confidence::likely,
      {"all " + std::to_string(output.violations) + " wrong elements of " + output.name + " are the right ones, " +
       (nearest ? "rounded" : "cut off") + " to " + std::to_string(fraction_bits - zeros + 1) +
       " significant bits of " + std::to_string(fraction_bits + 1)},
      {}};
}

}  // namespace assay::inline v0::detail
