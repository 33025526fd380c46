#pragma once

#include <cstdint>

#include "assay/formats/classify.hpp"

namespace assay::inline v0 {

/// `value`, or zero of its sign if it is subnormal (in a format without negative zero, zero): what hardware that
/// flushes makes of an operand, and of a result. A conversion that flushes its input is
/// `encode<To>(decode(flush_subnormal(from)))`; one that flushes its output is `flush_subnormal(encode<To>(value))`,
/// which is decided after rounding: a value that rounds up to the smallest normal number stays.
template <FloatFormat T>
[[nodiscard]] ASSAY_FUNCTION constexpr T flush_subnormal(T value) {
  using Traits = FormatTraits<T>;
  constexpr FloatLayout layout = Traits::layout;
  if (!is_subnormal(value)) return value;
  const std::uint64_t sign = layout.specials == SpecialValues::fnuz ? 0 : layout.sign_mask();
  return Traits::from_bits(static_cast<typename Traits::Bits>(Traits::to_bits(value) & sign));
}

}  // namespace assay::inline v0
