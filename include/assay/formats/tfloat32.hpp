#pragma once

#include <cstdint>

#include "assay/formats/format_traits.hpp"

namespace assay::inline v0 {

/// NVIDIA's TF32, the input of tensor cores: 1 sign, 8 exponent and 10 fraction bits, the upper 19 of a 32-bit
/// container, so that a float32 can be read as one. Reading ignores the lower 13 bits, whatever they are: a float32 is
/// truncated, and a float32 NaN whose payload lies in them reads as an infinity. Writing sets them to 0. It has no
/// arithmetic. A code (`FormatTraits<tfloat32>::to_bits`) is the upper 19 bits. PTX's cvt.rna.tf32 is
/// `Rounding::nearest_away`.
struct tfloat32 {
  static constexpr int ignored_bits = 13;  ///< low bits of the container that reading ignores

  std::uint32_t container;

  tfloat32() = default;
  /// Rounds to nearest, ties to even; overflow as IEEE 754 has it.
  ASSAY_FUNCTION explicit constexpr tfloat32(double value)
      : container(static_cast<std::uint32_t>(encode(own_layout(), value)) << ignored_bits) {}
  /// The value of the upper 19 bits: exact.
  ASSAY_FUNCTION explicit constexpr operator double() const { return decode(own_layout(), container >> ignored_bits); }
  /// The number in a container; the lower bits stay as they are.
  ASSAY_FUNCTION static constexpr tfloat32 from_container(std::uint32_t bits) {
    tfloat32 value;
    value.container = bits;
    return value;
  }

 private:
  ASSAY_FUNCTION static constexpr FloatLayout own_layout() { return {8, 10, 127, SpecialValues::ieee}; }
};

template <>
struct FormatTraits<tfloat32>
    : FloatFormatTraits<tfloat32, std::uint32_t, FloatLayout{8, 10, 127, SpecialValues::ieee}> {
  ASSAY_FUNCTION static constexpr const char* name() { return "tf32"; }
  ASSAY_FUNCTION static constexpr Bits to_bits(tfloat32 value) { return value.container >> tfloat32::ignored_bits; }
  ASSAY_FUNCTION static constexpr tfloat32 from_bits(Bits code) {
    return tfloat32::from_container(code << tfloat32::ignored_bits);
  }
  ASSAY_FUNCTION static constexpr double decode(tfloat32 value) { return static_cast<double>(value); }
  ASSAY_FUNCTION static constexpr tfloat32 encode(double value, Rounding rounding = Rounding::nearest_even,
                                                  Overflow overflow = Overflow::ieee) {
    return from_bits(static_cast<Bits>(assay::encode(layout, value, rounding, overflow)));
  }
};

}  // namespace assay::inline v0
