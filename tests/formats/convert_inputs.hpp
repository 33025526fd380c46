#pragma once

#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <vector>

#include "assay/core/instruction_set.hpp"
#include "assay/formats/format_traits.hpp"
#include "formats/rounding_oracle.hpp"

namespace assay::testing {

inline std::vector<InstructionSet> available_instruction_sets() {
  std::vector<InstructionSet> sets;
  for (InstructionSet set : all_instruction_sets)
    if (set <= widest_instruction_set()) sets.push_back(set);
  return sets;
}

/// Every code of a format, those of formats below a byte with zeros above.
template <Format T>
std::vector<T> all_codes() {
  std::vector<T> codes;
  for (std::uint32_t code = 0; code < (1u << FormatTraits<T>::bits); ++code)
    codes.push_back(FormatTraits<T>::from_bits(static_cast<typename FormatTraits<T>::Bits>(code)));
  return codes;
}

/// float32 values where rounding to a layout of at most 16 bits is decided: every value of it and every midpoint, with
/// their neighbors among float32, of both signs; zeros, subnormal numbers, infinities, NaNs of many payloads; one
/// number of each upper half of a word.
inline std::vector<float> deciding_values(FloatLayout layout) {
  std::vector<float> values;
  const float infinity = std::numeric_limits<float>::infinity();
  const auto with_neighbors = [&](double value) {
    const float single = static_cast<float>(value);
    for (float near : {std::nextafterf(single, -infinity), single, std::nextafterf(single, infinity)}) {
      values.push_back(near);
      values.push_back(-near);
    }
  };
  const RoundingOracle oracle(layout);
  const std::vector<double>& numbers = oracle.values();
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const double next = i + 1 < numbers.size() ? numbers[i + 1] : oracle.beyond();
    with_neighbors(numbers[i]);
    with_neighbors(numbers[i] + (next - numbers[i]) / 2);
  }
  with_neighbors(oracle.beyond());
  for (std::uint32_t upper = 0; upper < 0x10000; ++upper) values.push_back(__builtin_bit_cast(float, upper << 16));
  for (std::uint32_t bit = 0; bit < 23; ++bit)
    for (std::uint32_t head : {0u, 0x80000000u, 0x7f800000u, 0xff800000u, 0x7f7fffffu, 0xff7fffffu})
      values.push_back(__builtin_bit_cast(float, head ^ (1u << bit)));
  return values;
}

/// Any patterns of 32 bits.
inline std::vector<float> random_patterns(std::size_t count) {
  std::vector<float> values(count);
  TestNumbers numbers(20);
  for (float& value : values) value = __builtin_bit_cast(float, static_cast<std::uint32_t>(numbers.bits() >> 32));
  return values;
}

/// Positions at which the bytes of two arrays differ.
template <class T>
std::size_t differing(const std::vector<T>& left, const std::vector<T>& right) {
  std::size_t count = left.size() == right.size() ? 0 : 1;
  for (std::size_t i = 0; i < left.size() && i < right.size(); ++i)
    count += std::memcmp(&left[i], &right[i], sizeof(T)) != 0 ? 1 : 0;
  return count;
}

}  // namespace assay::testing
