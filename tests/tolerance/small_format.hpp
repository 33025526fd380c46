#pragma once

#include <cstdint>
#include <vector>

#include "assay/formats/format_traits.hpp"
#include "assay/formats/limits.hpp"

namespace assay::testing {

/// An 8-bit format without infinities that overflows to NaN (OCP's E4M3), as a type of the tests' own.
struct NanOnOverflow {
  std::uint8_t bits = 0;
};
/// A 4-bit format of finite numbers only (OCP's E2M1).
struct FiniteOnly {
  std::uint8_t bits = 0;
};

/// All finite values of a small format in ascending order, −0 and +0 as one, by decoding every code.
template <class T>
std::vector<double> all_values();

}  // namespace assay::testing

namespace assay {

template <>
struct FormatTraits<testing::NanOnOverflow>
    : FloatFormatTraits<testing::NanOnOverflow, std::uint8_t, FloatLayout{4, 3, 7, SpecialValues::finite_nan}> {
  static constexpr const char* name() { return "nan_on_overflow"; }
};
template <>
struct FormatTraits<testing::FiniteOnly>
    : FloatFormatTraits<testing::FiniteOnly, std::uint8_t, FloatLayout{2, 1, 1, SpecialValues::none}> {
  static constexpr const char* name() { return "finite_only"; }
};

}  // namespace assay

namespace assay::testing {

template <class T>
std::vector<double> all_values() {
  std::vector<double> values;
  const std::uint64_t largest = FormatTraits<T>::layout.max_finite_bits();
  for (std::uint64_t code = largest; code > 0; --code) values.push_back(-decode(FormatTraits<T>::layout, code));
  for (std::uint64_t code = 0; code <= largest; ++code) values.push_back(decode(FormatTraits<T>::layout, code));
  return values;
}

}  // namespace assay::testing
