#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "assay/core/diagnosis.hpp"
#include "assay/validators/diagnosis/failing_output.hpp"

namespace assay::inline v0::detail {

/// Wrong elements, wherever they stand, that all have few significant bits, are near the right values and differ from them for no other reason: they went through a narrower
/// format. Right values that have as few bits would have been kept, so that data on a grid, like whole numbers, tell nothing. That n elements end in t zeros
/// by chance has the probability 2^−nt.
[[nodiscard]] inline std::optional<Diagnosis> by_few_bits(const FailingOutput& output) {
  constexpr std::size_t least_elements = 4;
  constexpr int least_zeros = 3;
  const int fraction_bits = output.format.layout.fraction_bits;
  if (!output.format.is_float() || fraction_bits <= least_zeros || output.violations < least_elements) return std::nullopt;
  const std::uint64_t fraction = (std::uint64_t{1} << fraction_bits) - 1;
  const auto zeros_of = [&](double value) {
    const std::uint64_t bits = output.format.encode(value) & fraction;
    return bits == 0 ? fraction_bits : std::countr_zero(bits);
  };
  const double least = std::ldexp(1.0, output.format.layout.min_exponent());
  int zeros = fraction_bits;
  for (std::size_t i = 0; i < output.size(); ++i) {
    if (!output.violated[i]) continue;
    if (!is_finite(output.actual[i]) || !(std::fabs(output.actual[i]) >= least) || !is_finite(output.expected[i])) return std::nullopt;
    zeros = std::min(zeros, zeros_of(output.actual[i]));
    if (zeros < least_zeros) return std::nullopt;
  }
  bool nearest = true, inward = true;
  for (std::size_t i = 0; i < output.size() && (nearest || inward); ++i) {
    if (!output.violated[i]) continue;
    const double expected = std::fabs(output.expected[i]), error = static_cast<double>(output.error[i]),
                 off = std::fabs(output.actual[i] - output.expected[i]),
                 gap = std::ldexp(output.format.unit_in_last_place(expected), zeros);  // between two numbers of so few bits
    if (zeros_of(output.right(i)) >= zeros) return std::nullopt;
    nearest = nearest && off <= gap / 2 + error;
    inward = inward && off <= gap + error && std::fabs(output.actual[i]) <= expected + error;
  }
  if (!nearest && !inward) return std::nullopt;
  return Diagnosis{FaultClass::precision,
                   nearest ? "few_bits" : "few_bits_cut_off",
                   Confidence::likely,
                   {"all " + std::to_string(output.violations) + " wrong elements of " + output.name + " are the right ones, " +
                    (nearest ? "rounded" : "cut off") + " to " + std::to_string(fraction_bits - zeros + 1) + " significant bits of " +
                    std::to_string(fraction_bits + 1)},
                   {}};
}

}  // namespace assay::inline v0::detail
